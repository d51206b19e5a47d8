/**
 * Records what clients saw, and checks whether a service that stores every key exactly once can have produced
 * it. Modelled on Jepsen's set-full checker: an operation is invoked and then either answered (ok) or has an
 * unknown outcome (info), and only answers count as promises.
 */
export type Resource = "transactions" | "accounts";

export interface Operation {
  resource: Resource;
  keys: string[];
  end: "pending" | "ok" | "info";
  /** Present if it was answered, and on a 500 that names its run. */
  run?: Run;
}

export interface Run {
  referenceUuid: string;
  results: { reference: string; status: number; uuid?: string; reasonCode?: number }[];
}

export interface StoredRecord {
  key: string;
  uuid: string;
}

/** A request to undo a run. Refused: it did not undo the run. */
export interface Undo {
  run: string;
  end: "pending" | "ok" | "refused" | "info";
}

/** A record that was removed because its run was undone. */
export interface RemovedRecord extends StoredRecord {
  run: string;
}

/** The undo requests, and the records that the database has removed. */
export interface TakenBack {
  undos: readonly Undo[];
  removed: readonly RemovedRecord[];
}

/** All contradictions between the stored records and the history. Empty if there are none. */
export function contradictions(
  resource: Resource,
  operations: readonly Operation[],
  stored: readonly StoredRecord[],
  { undos, removed }: TakenBack = { undos: [], removed: [] },
): string[] {
  const own = operations.filter((operation) => operation.resource === resource);
  const found: string[] = [];
  const storedByKey = new Map<string, string[]>();
  for (const { key, uuid } of stored) storedByKey.set(key, [...(storedByKey.get(key) ?? []), uuid]);
  const gone = new Set(removed.map(({ uuid }) => uuid));

  for (const [key, uuids] of storedByKey) {
    if (uuids.length > 1) found.push(`${key} is stored ${uuids.length} times`);
    for (const uuid of uuids) if (gone.has(uuid)) found.push(`${key} is stored and was undone`);
  }
  for (const [key, lives] of toldByKey(own)) {
    for (const created of lives.values())
      if (created > 1) found.push(`${key} was answered as Created ${created} times`);
    const lasting = [...lives.keys()].filter((uuid) => !gone.has(uuid));
    if (lasting.length > 1) found.push(`${key} was answered with the uuids ${lasting.join(" and ")}`);
    const [uuid] = lasting;
    const kept = storedByKey.get(key) ?? [];
    if (uuid && kept.length === 0) found.push(`${key} was acknowledged and is not stored`);
    else if (uuid && !kept.includes(uuid))
      found.push(`${key} was acknowledged as ${uuid}, stored as ${kept}`);
  }
  const sent = new Set(own.flatMap((operation) => operation.keys));
  for (const key of storedByKey.keys()) if (!sent.has(key)) found.push(`${key} is stored and was never sent`);

  const asked = new Set(undos.map(({ run }) => run));
  for (const { key, run } of removed)
    if (!asked.has(run)) found.push(`${key} was removed, and no request undid its run`);
  const undone = new Set(undos.filter(({ end }) => end === "ok").map(({ run }) => run));
  // Nothing refers to a transaction, so an undo removes all of them.
  for (const { run } of resource === "transactions" ? own : [])
    for (const { reference, status, uuid } of undone.has(run?.referenceUuid ?? "")
      ? (run?.results ?? [])
      : [])
      if (status === 1 && !gone.has(uuid as string)) found.push(`${reference} was undone and is not removed`);
  return found;
}

/** The uuids that the answers named for each key, and how often each was Created. */
function toldByKey(operations: readonly Operation[]): Map<string, Map<string, number>> {
  const toldByKey = new Map<string, Map<string, number>>();
  for (const { run } of operations) {
    for (const { reference, status, uuid } of run?.results ?? []) {
      if (uuid === undefined) continue;
      const lives = toldByKey.get(reference) ?? new Map<string, number>();
      lives.set(uuid, (lives.get(uuid) ?? 0) + (status === 1 ? 1 : 0));
      toldByKey.set(reference, lives);
    }
  }
  return toldByKey;
}

/** The keys that were acknowledged. */
export function acknowledgedKeys(resource: Resource, operations: readonly Operation[]): string[] {
  return [...toldByKey(operations.filter((operation) => operation.resource === resource)).keys()];
}

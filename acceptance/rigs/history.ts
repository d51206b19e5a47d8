/**
 * What clients saw, written down while it happened, and the question whether it can have happened to a service that
 * stores every key exactly once. After Jepsen's set-full checker: an operation is invoked, and then either answered
 * (ok) or of unknown end (info), and only what was answered counts as a promise.
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

/** Somebody asked for a run to be taken back. Refused: it was not, by this request. */
export interface Undo {
  run: string;
  end: "pending" | "ok" | "refused" | "info";
}

/** A record that is gone, because its run was taken back. */
export interface RemovedRecord extends StoredRecord {
  run: string;
}

/** What was taken back: the requests, and what the database says is gone. */
export interface TakenBack {
  undos: readonly Undo[];
  removed: readonly RemovedRecord[];
}

/** Every way in which the stored records contradict the history. Empty if they do not. */
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
    for (const uuid of uuids) if (gone.has(uuid)) found.push(`${key} is stored and was taken back`);
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
    if (!asked.has(run)) found.push(`${key} was removed, and nobody took its run back`);
  const undone = new Set(undos.filter(({ end }) => end === "ok").map(({ run }) => run));
  // Nothing refers to a transaction, so none is left of a run that was taken back.
  for (const { run } of resource === "transactions" ? own : [])
    for (const { reference, status, uuid } of undone.has(run?.referenceUuid ?? "")
      ? (run?.results ?? [])
      : [])
      if (status === 1 && !gone.has(uuid as string))
        found.push(`${reference} was taken back and is not gone`);
  return found;
}

/** The uuids that were told of each key, and how often each was told as Created. */
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

/** The keys that somebody was promised. */
export function acknowledgedKeys(resource: Resource, operations: readonly Operation[]): string[] {
  return [...toldByKey(operations.filter((operation) => operation.resource === resource)).keys()];
}

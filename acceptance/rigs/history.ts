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

/** Every way in which the stored records contradict the history. Empty if they do not. */
export function contradictions(
  resource: Resource,
  operations: readonly Operation[],
  stored: readonly StoredRecord[],
): string[] {
  const own = operations.filter((operation) => operation.resource === resource);
  const found: string[] = [];
  const storedByKey = new Map<string, string[]>();
  for (const { key, uuid } of stored) storedByKey.set(key, [...(storedByKey.get(key) ?? []), uuid]);

  for (const [key, uuids] of storedByKey) {
    if (uuids.length > 1) found.push(`${key} is stored ${uuids.length} times`);
  }
  for (const [key, told] of toldByKey(own)) {
    if (told.created > 1) found.push(`${key} was answered as Created ${told.created} times`);
    if (told.uuids.size > 1)
      found.push(`${key} was answered with the uuids ${[...told.uuids].join(" and ")}`);
    const [uuid] = told.uuids;
    const kept = storedByKey.get(key) ?? [];
    if (kept.length === 0) found.push(`${key} was acknowledged and is not stored`);
    else if (uuid && !kept.includes(uuid))
      found.push(`${key} was acknowledged as ${uuid}, stored as ${kept}`);
  }
  const sent = new Set(own.flatMap((operation) => operation.keys));
  for (const key of storedByKey.keys()) if (!sent.has(key)) found.push(`${key} is stored and was never sent`);
  return found;
}

function toldByKey(operations: readonly Operation[]): Map<string, { created: number; uuids: Set<string> }> {
  const toldByKey = new Map<string, { created: number; uuids: Set<string> }>();
  for (const { run } of operations) {
    for (const { reference, status, uuid } of run?.results ?? []) {
      if (uuid === undefined) continue;
      const told = toldByKey.get(reference) ?? { created: 0, uuids: new Set() };
      if (status === 1) told.created += 1;
      told.uuids.add(uuid);
      toldByKey.set(reference, told);
    }
  }
  return toldByKey;
}

/** The keys that somebody was promised. */
export function acknowledgedKeys(resource: Resource, operations: readonly Operation[]): string[] {
  return [...toldByKey(operations.filter((operation) => operation.resource === resource)).keys()];
}

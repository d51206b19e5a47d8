import { isObject } from "@gatehouse-parking/contract";
import type { JsonRecord } from "@gatehouse-parking/json-text";
import { isLarge, readItem, readLargeItem, type Batch } from "../../json/read-body.js";
import { TimeSlice } from "../../scheduling/time-slice.js";
import { fieldNames, type ResourceDefinition } from "../resources.js";
import type { Recognized } from "./recognize.js";
import { isUsableKey, takeFingerprint, type Candidate, type Submitted } from "./submitted.js";

/** Reads every record that is not a known replay. Nothing is judged yet. */
export async function readRecords(
  batch: Batch,
  resource: ResourceDefinition,
  { replays, fingerprints }: Recognized,
): Promise<Submitted[]> {
  const records: Submitted[] = [];
  for (const replay of replays) records[replay.position] = replay;
  const budget = new TimeSlice();
  for (const [position, item] of batch.items.entries()) {
    if (records[position] !== undefined) continue;
    const source = isLarge(item)
      ? await readLargeItem(batch.text, item, fieldNames)
      : readItem(batch.text, item);
    const fingerprint = fingerprints[position] ?? takeFingerprint(source.text);
    records[position] = toCandidate(position, source, fingerprint, resource);
    if (budget.isSpent) await budget.giveWay();
  }
  return records;
}

function toCandidate(
  position: number,
  source: JsonRecord,
  fingerprint: string,
  resource: ResourceDefinition,
): Candidate {
  const record = isObject(source.value) ? source.value : {};
  const given = record[resource.keyField];
  return {
    position,
    reference: typeof given === "string" ? given : "",
    key: isUsableKey(given) ? given : undefined,
    record,
    source,
    fingerprint,
  };
}

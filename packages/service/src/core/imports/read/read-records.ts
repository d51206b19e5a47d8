import { isObject, isStorableText, isWithinLength } from "@gatehouse-parking/contract";
import { hash } from "node:crypto";
import type { JsonRecord } from "@gatehouse-parking/json-text";
import { isLarge, readItem, readLargeItem } from "../../json/read-body.js";
import { TimeSlice } from "../../scheduling/time-slice.js";
import type { StoredRecord } from "../look-up/lookup-result.js";
import { fieldNames, type ResourceDefinition } from "../resources.js";
import type { UnreadBatch } from "./envelope.js";
import type { RecognizedReplays } from "./recognize.js";

/** A record that was read but not judged yet. */
export interface Candidate {
  position: number;
  /** The reference in the result: the key as sent, or "" if it is missing or not a string. */
  reference: string;
  /** The dedup key. Undefined unless it is a non-blank string within its length that PostgreSQL can store. */
  key: string | undefined;
  /** Empty if what was sent is not an object. */
  record: Record<string, unknown>;
  source: JsonRecord;
  /** A hash of the text of the record. Records with different fingerprints may still be equal. */
  fingerprint: string;
}

/** A stored record that is resent byte for byte. It is Skipped without being parsed. */
export interface Replay {
  position: number;
  reference: string;
  key: string;
  stored: StoredRecord;
}

export type Submitted = Candidate | Replay;

export function isCandidate(submitted: Submitted): submitted is Candidate {
  return "source" in submitted;
}

/** 128 bits in hex, as COPY and the look-up need them. */
const fingerprintDigits = 32;

export function fingerprintOf(text: string): string {
  return hash("sha256", text, "hex").slice(0, fingerprintDigits);
}

const maxKeyLength = 128;

export function isUsableKey(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.trim() !== "" &&
    isWithinLength(value, maxKeyLength) &&
    isStorableText(value)
  );
}

/** Parses the records that are not recognized replays. */
export async function readRecords(
  batch: UnreadBatch,
  resource: ResourceDefinition,
  { replays, fingerprints }: RecognizedReplays,
): Promise<Submitted[]> {
  const records: Submitted[] = [];
  for (const replay of replays) records[replay.position] = replay;
  const budget = new TimeSlice();
  for (const [position, item] of batch.items.entries()) {
    if (records[position] !== undefined) continue;
    const text = batch.textOf(position);
    const source = isLarge(item) ? await readLargeItem(text, item, fieldNames) : readItem(text, item);
    const fingerprint = fingerprints[position] ?? fingerprintOf(source.text);
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

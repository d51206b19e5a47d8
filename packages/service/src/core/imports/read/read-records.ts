import { isObject, isStorableText, isWithinLength } from "@gatehouse-parking/contract";
import { hash } from "node:crypto";
import type { JsonRecord } from "@gatehouse-parking/json-text";
import { isLarge, readItem, readLargeItem } from "../../json/read-body.js";
import { TimeSlice } from "../../scheduling/time-slice.js";
import type { StoredRecord } from "../look-up/lookup-result.js";
import { fieldNames, type ResourceDefinition } from "../resources.js";
import type { UnreadBatch } from "./envelope.js";
import type { Recognized } from "./recognize.js";

/** A record of the batch on its way through the import: read, not yet judged. */
export interface Candidate {
  position: number;
  /** What the result calls the record: its key as sent, or "" if that is missing or no string. */
  reference: string;
  /** The dedup key, if it can be one: a non-blank string within its length that PostgreSQL can hold. */
  key: string | undefined;
  /** Empty if what was sent is not an object. */
  record: Record<string, unknown>;
  source: JsonRecord;
  /** A hash of the record as it was sent. Equal ones mean equal records; unequal ones call for a closer look. */
  fingerprint: string;
}

/** A record that came before, byte for byte, and is stored: it is Skipped without being read again. */
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

/** 128 bits: in hex, because that is how COPY and the look-up carry them anyway. */
const fingerprintDigits = 32;

export function takeFingerprint(text: string): string {
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

/** Reads every record that is not a known replay. Nothing is judged yet. */
export async function readRecords(
  batch: UnreadBatch,
  resource: ResourceDefinition,
  { replays, fingerprints }: Recognized,
): Promise<Submitted[]> {
  const records: Submitted[] = [];
  for (const replay of replays) records[replay.position] = replay;
  const budget = new TimeSlice();
  for (const [position, item] of batch.items.entries()) {
    if (records[position] !== undefined) continue;
    const text = batch.textOf(position);
    const source = isLarge(item) ? await readLargeItem(text, item, fieldNames) : readItem(text, item);
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

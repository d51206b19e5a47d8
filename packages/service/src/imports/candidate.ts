import { isStorableText, isWithinLength, type Problem } from "@gatehouse/contract";
import type { JsonRecord } from "../json/json-record.js";

/** A record of the batch on its way through the import: read, not yet decided. */
export interface Candidate {
  position: number;
  /** What the result calls the record: its key as sent, or "" if that is missing or no string. */
  reference: string;
  /** The dedup key, if it can be one: a non-blank string within its length that PostgreSQL can hold. */
  key: string | undefined;
  record: Record<string, unknown>;
  source: JsonRecord;
  /** A hash of the record as it was sent. Equal ones mean equal records; unequal ones call for a closer look. */
  fingerprint: string;
  /** What is wrong with it. Found out when it is asked: a record that is stored already is skipped whatever it holds. */
  check(): Problem[];
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

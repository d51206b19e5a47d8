import { createHash } from "node:crypto";
import { compileRecordCheck, isObject, Lead, parseTimestamp } from "@gatehouse-parking/contract";
import { storedLead } from "../entities/entities.js";
import type { Column } from "../entities/columns.js";
import { Refused } from "../refusals/refused.js";
import { MalformedJson, type JsonRecord } from "@gatehouse-parking/json-text";
import { readObject, readText } from "../json/read-body.js";

/** A valid lead. Fields that were not given are null. */
export interface ReadLead {
  /** By field, as text. Metadata is kept exactly as it was sent. */
  fields: Record<string, string | null>;
  captchaToken: string | null;
  captchaType: string | null;
  /** Whether a field of this name was filled in, at the top level or in metadata. */
  isFilled(fieldName: string): boolean;
  /** Does not depend on the captcha token, because a retry has a new one. */
  hash(): Buffer;
}

/** The fields that are read. All others are skipped while parsing. */
const knownFields = Object.keys(Lead.properties);
const checkLead = compileRecordCheck(Lead, { uuidFormat: "checked" });
const idempotencyKeyShape = /^[\x20-\x7e]{1,255}$/;

/** Rejects with all violations at once, including those of the Idempotency-Key. */
export async function readLead(
  bytes: Buffer,
  idempotencyKey: string | undefined,
  honeypotField: string | null,
): Promise<ReadLead> {
  const record = await parseBody(bytes, new Set([...knownFields, ...(honeypotField ? [honeypotField] : [])]));
  const problems = isObject(record.value)
    ? checkLead(record.value, record).map((problem) => problem.message)
    : ["The body must be a JSON object"];
  if (idempotencyKey !== undefined && !idempotencyKeyShape.test(idempotencyKey))
    problems.push("Idempotency-Key must have 1 to 255 printable characters");
  if (problems.length > 0) throw new Refused("bodyInvalid", { details: problems });
  return toLead(record, record.value as Record<string, unknown>);
}

async function parseBody(bytes: Buffer, names: ReadonlySet<string>): Promise<JsonRecord> {
  try {
    return await readObject(readText(bytes), names);
  } catch (error) {
    if (error instanceof MalformedJson) throw new Refused("bodyMalformed", { details: [error.message] });
    throw error;
  }
}

function toLead(record: JsonRecord, value: Record<string, unknown>): ReadLead {
  const textOf = (name: string) => (typeof value[name] === "string" ? value[name] : null);
  const fields: ReadLead["fields"] = { email: null, locationUuid: textOf("locationUuid") };
  for (const column of storedLead.columns) fields[column.field] = toText(column, value, record);
  return {
    fields,
    captchaToken: textOf("captchaToken"),
    captchaType: textOf("captchaType"),
    isFilled: (fieldName) =>
      [value, value["metadata"]].some((holder) => isObject(holder) && isFilledIn(holder, fieldName)),
    hash: () =>
      createHash("sha256")
        .update(JSON.stringify(hashed(fields)))
        .digest(),
  };
}

function toText(
  { field, kind, path }: Column,
  given: Record<string, unknown>,
  record: JsonRecord,
): string | null {
  const value = given[field] ?? null;
  if (value === null) return null;
  if (kind === "timestamp") return new Date(parseTimestamp(value as string, true) as number).toISOString();
  if (kind === "json") return record.textAt(path) ?? null;
  return typeof value === "number" ? (record.numberSpelling(path) ?? String(value)) : String(value);
}

/**
 * The fields of the first release count even if they are absent, so that a lead that is sent again after an
 * upgrade is recognized.
 */
const firstFields = new Set(
  [
    "email locationUuid firstName lastName companyName phone estimatedStartDate estimatedStartDateString",
    "source sourceDetails notes formName slug referrerUrl",
  ].flatMap((names) => names.split(" ")),
);

function hashed({ metadata, ...fields }: ReadLead["fields"]): unknown[] {
  const counted = Object.entries(fields).filter(([name, value]) => value !== null || firstFields.has(name));
  return [Object.fromEntries(counted), metadata];
}

/** A form sends an empty text, false or nothing for a field that the visitor did not fill in. */
function isFilledIn(holder: Record<string, unknown>, name: string): boolean {
  if (!Object.hasOwn(holder, name)) return false;
  const given = holder[name];
  return typeof given === "string" ? given.trim() !== "" : Boolean(given);
}

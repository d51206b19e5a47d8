import { createHash } from "node:crypto";
import { compileRecordCheck, isObject, Lead, parseTimestamp } from "@gatehouse-parking/contract";
import { Refused } from "../refusals/refused.js";
import { MalformedJson, type JsonRecord } from "@gatehouse-parking/json-text";
import { readObject, readText } from "../json/read-body.js";

/** A lead that was found in order. Fields that were not given are null. */
export interface ReadLead {
  fields: Record<LeadField, string | null>;
  /** The exact text that was sent. */
  metadata: string | null;
  captchaToken: string | null;
  captchaType: string | null;
  /** Whether a field of this name was filled in, at the top or in metadata. */
  isFilled(fieldName: string): boolean;
  /** The same for the same lead, whatever captcha token it comes with: a new try has a new token. */
  hash(): Buffer;
}

/** What is stored of a lead as it was sent, metadata apart. */
export const leadFields = [
  "email",
  "locationUuid",
  "firstName",
  "lastName",
  "companyName",
  "phone",
  "estimatedStartDate",
  "estimatedStartDateString",
  "source",
  "sourceDetails",
  "notes",
  "formName",
  "slug",
  "referrerUrl",
] as const;
export type LeadField = (typeof leadFields)[number];

/** What anybody looks at in a lead; whatever else it holds is walked over. */
const knownFields = Object.keys(Lead.properties);
const checkLead = compileRecordCheck(Lead, { uuidFormat: "checked" });
const idempotencyKeyShape = /^[\x20-\x7e]{1,255}$/;

/** Refuses with every violation at once, those of the Idempotency-Key among them. */
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
  if (problems.length > 0) throw new Refused("bodyInvalid", problems);
  return toLead(record, record.value as Record<string, unknown>);
}

async function parseBody(bytes: Buffer, names: ReadonlySet<string>): Promise<JsonRecord> {
  try {
    return await readObject(readText(bytes), names);
  } catch (error) {
    if (error instanceof MalformedJson) throw new Refused("bodyMalformed", [error.message]);
    throw error;
  }
}

function toLead(record: JsonRecord, value: Record<string, unknown>): ReadLead {
  const textOf = (name: string) => (typeof value[name] === "string" ? value[name] : null);
  const fields = Object.fromEntries(leadFields.map((name) => [name, textOf(name)])) as ReadLead["fields"];
  fields.estimatedStartDate = toMoment(fields.estimatedStartDate);
  const metadata = isObject(value["metadata"]) ? (record.textAt(["metadata"]) ?? null) : null;
  return {
    fields,
    metadata,
    captchaToken: textOf("captchaToken"),
    captchaType: textOf("captchaType"),
    isFilled: (fieldName) =>
      [value, value["metadata"]].some((holder) => isObject(holder) && isFilledIn(holder, fieldName)),
    hash: () =>
      createHash("sha256")
        .update(JSON.stringify([fields, metadata]))
        .digest(),
  };
}

function toMoment(text: string | null): string | null {
  const moment = text === null ? undefined : parseTimestamp(text, true);
  return moment === undefined ? null : new Date(moment).toISOString();
}

/** A form sends an empty text, or nothing, or false, for a field that nobody touched. */
function isFilledIn(holder: Record<string, unknown>, name: string): boolean {
  if (!Object.hasOwn(holder, name)) return false;
  const given = holder[name];
  return typeof given === "string" ? given.trim() !== "" : Boolean(given);
}

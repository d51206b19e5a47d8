import { isObject, type Problem } from "@gatehouse/contract";
import { hash } from "node:crypto";
import type { JsonRecord } from "../json/json-record.js";
import { Pace } from "../json/pace.js";
import { isLarge, readItem, readLargeItem, type Batch } from "../json/read-body.js";
import { isUsableKey, type Candidate } from "./candidate.js";
import { fieldNames, type ResourceDefinition } from "./resources.js";

const noObject: Problem = { path: "", reasonCode: 5, message: "The record must be an object" };
/** 128 bits: in hex, because that is how COPY and the look-up carry them anyway. */
const fingerprintDigits = 32;

/** Step 1: every record is read, and can be checked, on its own. */
export async function validate(batch: Batch, resource: ResourceDefinition): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  const pace = new Pace();
  for (const [position, item] of batch.items.entries()) {
    const source = isLarge(item)
      ? await readLargeItem(batch.text, item, fieldNames)
      : readItem(batch.text, item);
    candidates.push(toCandidate(position, source, resource));
    if (pace.isDue) await pace.rest();
  }
  return candidates;
}

function toCandidate(position: number, source: JsonRecord, resource: ResourceDefinition): Candidate {
  const fingerprint = hash("sha256", source.text, "hex").slice(0, fingerprintDigits);
  if (!isObject(source.value)) {
    return {
      position,
      reference: "",
      key: undefined,
      record: {},
      source,
      fingerprint,
      check: () => [noObject],
    };
  }
  const record = source.value;
  const given = record[resource.keyField];
  return {
    position,
    reference: typeof given === "string" ? given : "",
    key: isUsableKey(given) ? given : undefined,
    record,
    source,
    fingerprint,
    check: () => resource.check(record, source),
  };
}

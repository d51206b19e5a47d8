import { refusedBatch, type Refused } from "../../refusals/refused.js";
import { findValue, type MalformedJson, type Span } from "@gatehouse-parking/json-text";
import { readBatch } from "../../json/read-body.js";
import { TimeSlice } from "../../scheduling/time-slice.js";
import type { ResourceDefinition } from "../resources.js";

/** A batch whose records are located, but not parsed. */
export interface UnreadBatch {
  /** The position of each record in its text. */
  items: readonly Span[];
  textOf: (position: number) => string;
  /** The exact text of the envelope's metadata. */
  metadata: string | undefined;
}

/** Reads the envelope of a batch, or rejects the whole batch. */
export async function readEnvelope(text: string, resource: ResourceDefinition): Promise<UnreadBatch> {
  const batch = await readBatch(text, resource.name, resource.maxRecords);
  const { name, maxRecords } = resource;
  if (batch.array === "missing") throw invalid(name, "is required", true);
  if (batch.array === "wrong type") throw invalid(name, "must be an array");
  if (batch.metadataProblem) {
    const isTooDeep = batch.metadataProblem === "too deep";
    throw invalid("metadata", isTooDeep ? "must not be nested deeper than 64 levels" : "must be an object");
  }
  if (batch.submitted === 0) {
    throw refusedBatch({ refusal: "batchEmpty", says: `${name} must contain at least one record` });
  }
  if (batch.submitted > maxRecords) {
    throw refusedBatch({
      refusal: "tooManyRecords",
      says: `A request takes at most ${maxRecords} ${name}`,
      submitted: batch.submitted,
      max: maxRecords,
    });
  }
  return { items: batch.items, textOf: () => text, metadata: batch.metadata };
}

/** A batch of separate texts, such as the rows of a file. */
export async function findRecords(texts: readonly string[], metadata: string): Promise<UnreadBatch> {
  const budget = new TimeSlice();
  const items: Span[] = [];
  for (const text of texts) items.push(await findValue(text, budget));
  return { items, textOf: (position) => texts[position] as string, metadata };
}

export function malformed({ message }: MalformedJson): Refused {
  return refusedBatch({ refusal: "bodyMalformed", member: "$", says: message });
}

function invalid(member: string, problem: string, isMissing = false): Refused {
  return refusedBatch({ refusal: "envelopeInvalid", member, says: `${member} ${problem}`, isMissing });
}

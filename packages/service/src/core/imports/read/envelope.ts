import { BatchRefused } from "../../refusals/batch-refused.js";
import type { MalformedJson } from "@gatehouse-parking/json-text";
import { readBatch, type Batch } from "../../json/read-body.js";
import type { ResourceDefinition } from "../resources.js";

/** Reads the envelope of a batch, or refuses the batch as a whole. */
export async function readEnvelope(text: string, resource: ResourceDefinition): Promise<Batch> {
  const batch = await readBatch(text, resource.name, resource.maxRecords);
  const { name, maxRecords } = resource;
  if (batch.array === "missing") throw invalid(name, "is required", true);
  if (batch.array === "wrong type") throw invalid(name, "must be an array");
  if (batch.metadataProblem) {
    const isTooDeep = batch.metadataProblem === "too deep";
    throw invalid("metadata", isTooDeep ? "must not be nested deeper than 64 levels" : "must be an object");
  }
  if (batch.submitted === 0) {
    throw new BatchRefused({ refusal: "batchEmpty", says: `${name} must contain at least one record` });
  }
  if (batch.submitted > maxRecords) {
    throw new BatchRefused({
      refusal: "tooManyRecords",
      says: `A request takes at most ${maxRecords} ${name}`,
      submitted: batch.submitted,
      max: maxRecords,
    });
  }
  return batch;
}

/** A body that is not JSON, wherever in it that is noticed. */
export function malformed({ message }: MalformedJson): BatchRefused {
  return new BatchRefused({ refusal: "bodyMalformed", member: "$", says: message });
}

function invalid(member: string, problem: string, isMissing = false): BatchRefused {
  return new BatchRefused({ refusal: "envelopeInvalid", member, says: `${member} ${problem}`, isMissing });
}

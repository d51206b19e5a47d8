import type { ProblemDetails } from "@gatehouse-parking/contract";
import { RequestRefused } from "../../refusals/request-refused.js";
import { MalformedJson } from "@gatehouse-parking/json-text";
import { readBatch, type Batch } from "../../json/read-body.js";
import type { ResourceDefinition } from "../resources.js";

/** Reads the envelope of a batch, or refuses the request in the shape that the interface has for each case. */
export async function readEnvelope(text: string, resource: ResourceDefinition): Promise<Batch> {
  const batch = await readBatch(text, resource.name, resource.maxRecords);
  const { name, maxRecords } = resource;
  if (batch.array === "missing") {
    throw new RequestRefused("envelopeInvalid", {
      problem: { ...problem({ [name]: [`${name} is required`] }), error: `${name} is required` },
    });
  }
  if (batch.array === "wrong type") {
    throw new RequestRefused("envelopeInvalid", {
      problem: problem({ [name]: [`${name} must be an array`] }),
    });
  }
  if (batch.metadataProblem) {
    const must =
      batch.metadataProblem === "too deep" ? "must not be nested deeper than 64 levels" : "must be an object";
    throw new RequestRefused("envelopeInvalid", { problem: problem({ metadata: [`metadata ${must}`] }) });
  }
  if (batch.submitted === 0) {
    throw new RequestRefused("batchEmpty", { json: { error: `${name} must contain at least one record` } });
  }
  if (batch.submitted > maxRecords) {
    const error = `A request takes at most ${maxRecords} ${name}`;
    throw new RequestRefused("tooManyRecords", {
      json: { error, submitted: batch.submitted, max: maxRecords },
    });
  }
  return batch;
}

/** A body that is not JSON, wherever in it that is noticed. */
export async function refuseMalformed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error;
    throw new RequestRefused("bodyMalformed", { problem: problem({ $: [error.message] }) });
  }
}

function problem(errors: Record<string, string[]>): ProblemDetails {
  return { type: "about:blank", title: "The request is not valid", status: 400, errors };
}

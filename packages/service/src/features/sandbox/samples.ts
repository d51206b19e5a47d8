import type { Sample, SampleRequest } from "@gatehouse-parking/contract/console";
import { errorSamples } from "./error-samples.js";
import type { PlannedRequest, PlannedSample, SampleWorld } from "./planned-sample.js";
import { reasonSamples } from "./reason-samples.js";
import { successSamples } from "./success-samples.js";

/** Everything an integrator should have seen once: each endpoint at its best, each reason code, each refusal. */
export function planSamples(world: SampleWorld): PlannedSample[] {
  return [...successSamples(world), ...reasonSamples(world), ...errorSamples(world)];
}

const maxShownCharacters = 4_000;

export function toSample(planned: PlannedSample): Sample {
  return { ...planned, requests: planned.requests.map((request) => toShownRequest(request, shownKeys)) };
}

const shownKeys: Record<PlannedRequest["key"], string | undefined> = {
  full: "<API_KEY>",
  limited: "<API_KEY without transactions:write>",
  broken: "not-a-key",
  none: undefined,
};

export function toShownRequest(
  request: PlannedRequest,
  keys: Record<PlannedRequest["key"], string | undefined>,
): SampleRequest {
  const shownKey = keys[request.key];
  const headers = { ...(shownKey === undefined ? {} : { "X-API-KEY": shownKey }), ...request.headers };
  return { ...request, headers };
}

export function shorten(text: string): string {
  if (text.length <= maxShownCharacters) return text;
  return `${text.slice(0, maxShownCharacters)}\n... ${text.length.toLocaleString("en")} characters in all`;
}

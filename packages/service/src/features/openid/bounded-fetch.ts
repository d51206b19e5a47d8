import { fetchWhole } from "../../core/outgoing-request.js";

/** All requests of one step of a sign-in together. A provider that takes longer, or says more, is given up. */
export const providerTimeoutMs = 10_000;
const maxAnswerBytes = 1024 * 1024;

/** Keys and what is said of a person have types of their own. */
const answerType = /^application\/(?:json|jwk-set\+json|jwt)(?:;|$)/i;

type Options = Omit<RequestInit, "body" | "signal"> & { body?: RequestInit["body"] | undefined };

/** A fetch for one step of a sign-in that ends: in time, in bytes, and at the address that was asked for. */
export function boundedFetch(
  stepTimeoutMs = providerTimeoutMs,
): (address: string, options: Options) => Promise<Response> {
  const untilMs = performance.now() + stepTimeoutMs;
  return async (address, { body, redirect: _redirect, ...options }) => {
    const timeoutMs = Math.max(0, Math.round(untilMs - performance.now()));
    const bounds = { timeoutMs, maxBytes: maxAnswerBytes };
    const response = await fetchWhole(address, { ...options, body: body ?? null }, bounds);
    // The library looks at the type only where the body is not JSON.
    if (response.status === 200 && !answerType.test(response.headers.get("content-type") ?? ""))
      throw new Error("the provider's answer is not JSON");
    return response;
  };
}

import { fetchWhole } from "../../core/outgoing-request.js";

/** All requests of one sign-in step together. They are aborted when the provider takes too long or sends too much. */
export const providerTimeoutMs = 10_000;
const maxAnswerBytes = 1024 * 1024;

/** Keys and user info have other media types. */
const answerType = /^application\/(?:json|jwk-set\+json|jwt)(?:;|$)/i;

type Options = Omit<RequestInit, "body" | "signal"> & { body?: RequestInit["body"] | undefined };

/** A fetch for one sign-in step, limited in time and bytes and without redirects. */
export function boundedFetch(
  stepTimeoutMs = providerTimeoutMs,
): (address: string, options: Options) => Promise<Response> {
  const untilMs = performance.now() + stepTimeoutMs;
  return async (address, { body, redirect: _redirect, ...options }) => {
    const timeoutMs = Math.max(0, Math.round(untilMs - performance.now()));
    const bounds = { timeoutMs, maxBytes: maxAnswerBytes };
    const response = await fetchWhole(address, { ...options, body: body ?? null }, bounds);
    // The library checks the type only if the body is not JSON.
    if (response.status === 200 && !answerType.test(response.headers.get("content-type") ?? ""))
      throw new Error("the provider's answer is not JSON");
    return response;
  };
}

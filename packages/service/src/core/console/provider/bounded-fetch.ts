/** All requests of one step of a sign-in together. A provider that takes longer, or says more, is given up. */
export const providerTimeoutMs = 10_000;
const maxAnswerBytes = 1024 * 1024;

/** Keys and what is said of a person have types of their own. */
const answerType = /^application\/(?:json|jwk-set\+json|jwt)(?:;|$)/i;

type Options = Omit<RequestInit, "body" | "signal"> & { body?: RequestInit["body"] | undefined };

/** A fetch for one step of a sign-in that ends: in time, in bytes, and at the address that was asked for. */
export function boundedFetch(): (address: string, options: Options) => Promise<Response> {
  const signal = AbortSignal.timeout(providerTimeoutMs);
  return (address, options) => fetchBounded(address, options, signal);
}

async function fetchBounded(
  address: string,
  { body, ...options }: Options,
  signal: AbortSignal,
): Promise<Response> {
  const response = await fetch(address, { ...options, body: body ?? null, redirect: "error", signal });
  // The library looks at the type only where the body is not JSON.
  if (response.status === 200 && !answerType.test(response.headers.get("content-type") ?? ""))
    throw new Error("the provider's answer is not JSON");
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxAnswerBytes) throw new Error("the provider's answer is too large");
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  const hasBody = ![204, 205, 304].includes(status);
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status, statusText, headers });
}

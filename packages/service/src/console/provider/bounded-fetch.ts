/** A provider that takes longer, or says more, is given up. */
const timeoutMs = 10_000;
const maxAnswerBytes = 1024 * 1024;

/** fetch that ends: in time, in bytes, and at the address that was asked for. */
export async function boundedFetch(
  address: string,
  { body, ...options }: Omit<RequestInit, "body" | "signal"> & { body?: RequestInit["body"] | undefined },
): Promise<Response> {
  const response = await fetch(address, {
    ...options,
    body: body ?? null,
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
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

/** Limits for the whole answer of another server. */
export interface AnswerBounds {
  timeoutMs: number;
  maxBytes: number;
}

/**
 * Sends a request to another server and reads the whole body. Redirects are rejected: they would send the data to another
 * address.
 *
 * A timer cancels the body itself. The signal of a fetch is not enough: after the headers have arrived, garbage
 * collection may remove the connection between signal and body.
 */
export async function fetchWhole(
  address: string,
  request: Omit<RequestInit, "redirect" | "signal">,
  { timeoutMs, maxBytes }: AnswerBounds,
): Promise<Response> {
  const late = new DOMException(`no answer within ${timeoutMs} ms`, "TimeoutError");
  const ending = new AbortController();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const end = (reason: Error): void => {
    ending.abort(reason);
    reader?.cancel(reason).catch(() => undefined);
  };
  const timer = setTimeout(() => end(late), timeoutMs);
  try {
    const response = await fetch(address, { ...request, redirect: "error", signal: ending.signal });
    reader = response.body?.getReader();
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      bytes += read.value.byteLength;
      if (bytes > maxBytes) throw new Error("the answer is too large");
      chunks.push(read.value);
    }
    ending.signal.throwIfAborted();
    const { status, statusText, headers } = response;
    return new Response(reader && Buffer.concat(chunks), { status, statusText, headers });
  } catch (error) {
    end(error as Error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** How long another server may take for its whole answer, and how much it may say. */
export interface AnswerBounds {
  timeoutMs: number;
  maxBytes: number;
}

/**
 * A request to another server, answered with the whole body. A redirect is refused: it would carry what is sent to another
 * address.
 *
 * The time limit is a timer that ends the reading itself. The signal of a fetch is not enough: once the headers are there,
 * a garbage collection may take what connects the signal with the body.
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

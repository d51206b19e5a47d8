import { defaultScheduler, type ReadScheduler } from "./scheduler.js";
import { inputError } from "./refusals.js";

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Decompresses as a stream: only the current piece is in memory. */
export async function* gunzip(
  chunks: AsyncIterable<Uint8Array>,
  scheduler: ReadScheduler = defaultScheduler(),
): AsyncGenerator<Uint8Array> {
  const unpacking = new DecompressionStream("gzip");
  const source = remembering(chunks);
  const fed = feed(source.chunks, unpacking.writable);
  const reader = (unpacking.readable as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await scheduler.wait(
        reader.read().catch((error: unknown) => {
          if (source.failure) throw source.failure.error;
          throw inputError(1, "damagedGzip", { reason: (error as Error).message });
        }),
      );
      if (done) break;
      yield value;
    }
    await fed;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

interface Source {
  chunks: AsyncIterable<Uint8Array>;
  failure?: { error: unknown };
}

/**
 * Remembers errors of the chunks themselves, because the stream rethrows them as if the gzip data were
 * damaged.
 */
function remembering(chunks: AsyncIterable<Uint8Array>): Source {
  const source: Source = { chunks: watched() };
  return source;
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
    } catch (error) {
      source.failure = { error };
      throw error;
    }
  }
}

/** The reading side reports errors of this side. */
async function feed(
  chunks: AsyncIterable<Uint8Array>,
  writable: WritableStream<Uint8Array<ArrayBuffer>>,
): Promise<void> {
  const writer = writable.getWriter();
  try {
    for await (const chunk of chunks) await writer.write(chunk as Uint8Array<ArrayBuffer>);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
  }
}

import { ownPace, type Pace } from "./pace.js";
import { inputError } from "./refusals.js";

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Unpacks as it goes: only the current piece is held, however large the file becomes. */
export async function* gunzip(
  chunks: AsyncIterable<Uint8Array>,
  pace: Pace = ownPace(),
): AsyncGenerator<Uint8Array> {
  const unpacking = new DecompressionStream("gzip");
  const source = remembering(chunks);
  const fed = feed(source.chunks, unpacking.writable);
  const reader = (unpacking.readable as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await pace.wait(
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

/** The stream hands on what the chunks themselves throw as if it were its own; that they failed says nothing of the file. */
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

/** What goes wrong on this side is met on the other one. */
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

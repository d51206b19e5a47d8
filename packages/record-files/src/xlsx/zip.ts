import {
  configure,
  Uint8ArrayReader,
  ZipReader,
  type FileEntry,
} from "@zip.js/zip.js/lib/zip-core-native.js";
import { ownPace, type Pace } from "../pace.js";
import { inputError } from "../refusals.js";

export const maxEntries = 10_000;
/** Names of parts are held in memory. ZIP allows 64 KB each, so a file of names alone would take as much as its size. */
export const maxNameBytes = 1_024;
/** The unpacked size of everything that is read of an archive. Parts are read as they are unpacked, so this bounds time, not memory. */
const maxUnpackedBytes = 1024 ** 3;
/** The size of the pieces that a part is read in. */
export const pieceBytes = 64 * 1024;

const storedMethod = 0;
const deflateMethod = 8;

// The library queues parts beyond maxWorkers, also without workers: a reader that pauses would hold up the others.
configure({ useWebWorkers: false, maxWorkers: Number.MAX_SAFE_INTEGER, chunkSize: pieceBytes });

export interface ZipOptions {
  /** Reading ends when it is aborted. */
  signal?: AbortSignal | undefined;
  pace?: Pace | undefined;
}

/** A ZIP archive in memory. Its central directory says which parts there are; they are unpacked as they are read. */
export class Zip {
  readonly #entries: ReadonlyMap<string, FileEntry>;
  readonly #signal: AbortSignal | undefined;
  readonly #pace: Pace;
  #unpackedBytes = 0;

  private constructor(entries: ReadonlyMap<string, FileEntry>, pace: Pace, signal: AbortSignal | undefined) {
    this.#entries = entries;
    this.#pace = pace;
    this.#signal = signal;
  }

  static async open(bytes: Uint8Array, { pace = ownPace(), signal }: ZipOptions = {}): Promise<Zip> {
    return new Zip(await readDirectory(bytes, pace), pace, signal);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The content of a part, in small pieces. At its end, its size and checksum are compared with the directory. */
  async *read(name: string, maxBytes = maxUnpackedBytes): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(name);
    if (!entry) throw inputError(1, "spreadsheetDamaged");
    let bytes = 0;
    for await (const piece of unpacked(entry, this.#pace)) {
      this.#signal?.throwIfAborted();
      bytes += piece.length;
      if (bytes > maxBytes) throw inputError(1, "partTooLarge", { part: name });
      this.#unpackedBytes += piece.length;
      if (this.#unpackedBytes > maxUnpackedBytes)
        throw inputError(1, "unpacksTooLarge", { maxBytes: maxUnpackedBytes });
      yield piece;
      if (this.#pace.isSpent) await this.#pace.giveWay();
    }
  }
}

/** The parts that can be read: neither encrypted nor packed in an unusual way. Of several with one name, the first. */
async function readDirectory(bytes: Uint8Array, pace: Pace): Promise<Map<string, FileEntry>> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), {
    // The names are never used as paths of files.
    filenameValidation: "tolerant",
    checkLocalDirectory: false,
    checkCrc32: true,
    decodeText: (text, _encoding, kind) =>
      kind === "filename" && text.length <= maxNameBytes ? undefined : "",
  });
  const entries = new Map<string, FileEntry>();
  let count = 0;
  for await (const entry of orDamaged(reader.getEntriesGenerator())) {
    count += 1;
    if (count > maxEntries) throw inputError(1, "spreadsheetDamaged");
    if (isReadable(entry) && !entries.has(entry.filename)) entries.set(entry.filename, entry);
    if (pace.isSpent) await pace.giveWay();
  }
  return entries;
}

async function* orDamaged<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch {
    throw inputError(1, "spreadsheetDamaged");
  }
}

function isReadable(entry: {
  filename: string;
  encrypted: boolean;
  compressionMethod: number;
  directory: boolean;
}): entry is FileEntry {
  const { filename, encrypted, compressionMethod: method, directory } = entry;
  return filename !== "" && !directory && !encrypted && (method === storedMethod || method === deflateMethod);
}

async function* unpacked(entry: FileEntry, pace: Pace): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const over = new AbortController();
  // The library does not end the stream if the local header is wrong, and the reader would wait for ever.
  const written = entry
    .getData(writable, { signal: over.signal })
    .catch((error: unknown) => writable.abort(error).catch(() => {}));
  const reader = readable.getReader();
  try {
    for (;;) {
      const { done, value } = await pace.wait(
        reader.read().catch(() => {
          throw inputError(1, "spreadsheetDamaged");
        }),
      );
      if (done) return;
      yield value;
    }
  } finally {
    over.abort();
    await reader.cancel().catch(() => {});
    await written;
  }
}

import {
  configure,
  Uint8ArrayReader,
  ZipReader,
  type FileEntry,
} from "@zip.js/zip.js/lib/zip-core-native.js";
import { defaultScheduler, type ReadScheduler } from "../scheduler.js";
import { inputError } from "../refusals.js";

export const maxEntries = 10_000;
/** Part names are kept in memory. ZIP allows 64 KB each, so names alone could be as large as the file. */
export const maxNameBytes = 1_024;
/**
 * The maximum decompressed size of everything read from an archive. Parts are streamed, so this limits time,
 * not memory.
 */
const maxUnpackedBytes = 1024 ** 3;
/** The size of pieces in which a part is read. */
export const pieceBytes = 64 * 1024;

const storedMethod = 0;
const deflateMethod = 8;

// The library queues parts beyond maxWorkers even without workers, so a paused reader would block the others.
configure({ useWebWorkers: false, maxWorkers: Number.MAX_SAFE_INTEGER, chunkSize: pieceBytes });

export interface ZipOptions {
  /** Aborts reading. */
  signal?: AbortSignal | undefined;
  scheduler?: ReadScheduler | undefined;
}

/** A ZIP archive in memory. Its central directory lists the parts, which are decompressed on demand. */
export class Zip {
  readonly #entries: ReadonlyMap<string, FileEntry>;
  readonly #signal: AbortSignal | undefined;
  readonly #scheduler: ReadScheduler;
  #unpackedBytes = 0;

  private constructor(
    entries: ReadonlyMap<string, FileEntry>,
    scheduler: ReadScheduler,
    signal: AbortSignal | undefined,
  ) {
    this.#entries = entries;
    this.#scheduler = scheduler;
    this.#signal = signal;
  }

  static async open(
    bytes: Uint8Array,
    { scheduler = defaultScheduler(), signal }: ZipOptions = {},
  ): Promise<Zip> {
    return new Zip(await readDirectory(bytes, scheduler), scheduler, signal);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The content of a part in small pieces. At the end, size and checksum are compared with the directory. */
  async *read(name: string, maxBytes = maxUnpackedBytes): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(name);
    if (!entry) throw inputError(1, "spreadsheetDamaged");
    let bytes = 0;
    for await (const piece of unpacked(entry, this.#scheduler)) {
      this.#signal?.throwIfAborted();
      bytes += piece.length;
      if (bytes > maxBytes) throw inputError(1, "partTooLarge", { part: name });
      this.#unpackedBytes += piece.length;
      if (this.#unpackedBytes > maxUnpackedBytes)
        throw inputError(1, "unpacksTooLarge", { maxBytes: maxUnpackedBytes });
      yield piece;
      if (this.#scheduler.isSpent) await this.#scheduler.giveWay();
    }
  }
}

/** The readable parts: not encrypted, with a usual compression. The first one wins among equal names. */
async function readDirectory(bytes: Uint8Array, scheduler: ReadScheduler): Promise<Map<string, FileEntry>> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), {
    // Names are never used as file paths.
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
    if (scheduler.isSpent) await scheduler.giveWay();
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

async function* unpacked(entry: FileEntry, scheduler: ReadScheduler): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const over = new AbortController();
  // If the local header is wrong, the library never ends the stream, and the reader would wait forever.
  const written = entry
    .getData(writable, { signal: over.signal })
    .catch((error: unknown) => writable.abort(error).catch(() => {}));
  const reader = readable.getReader();
  try {
    for (;;) {
      const { done, value } = await scheduler.wait(
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

import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { syncFolder } from "../data-folder.js";
import { explainFullDisk, checksumName, type Checksum, startChecksum } from "./manifest.js";

type Sink = ReturnType<ReturnType<typeof pack>["entry"]>;

const chunkBytes = 256 * 1024;
const permissionBits = 0o777;

export interface ArchiveWriter {
  addFolder(name: string, mode: number): Promise<void>;
  addBytes(name: string, mode: number, bytes: Uint8Array): Promise<void>;
  /** With the size that the file had when it was opened. False if the file does not exist. */
  addFile(name: string, file: string): Promise<boolean>;
}

/** Writes a draft beside `file` and renames it when it is complete and on disk. */
export async function writeArchive(
  file: string,
  signal: AbortSignal,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<Checksum & { fileBytes: number }> {
  const draft = `${file}.partial-${randomBytes(6).toString("hex")}`;
  try {
    const checksum = await fillArchive(draft, signal, fill);
    const { size } = await stat(draft);
    await rename(draft, file);
    await syncFolder(path.dirname(file));
    return { ...checksum, fileBytes: size };
  } catch (error) {
    await rm(draft, { force: true });
    throw explainFullDisk(error, file);
  }
}

async function fillArchive(
  file: string,
  signal: AbortSignal,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<Checksum> {
  const tar = openTar(file, signal);
  const checksum = startChecksum();
  const add = (
    name: string,
    mode: number,
    size: number,
    content: AsyncIterable<Uint8Array>,
  ): Promise<void> => {
    const permissions = mode & permissionBits;
    checksum.begin(name, permissions, size);
    return tar.add({ name, mode: permissions, size }, counted(content, checksum.add));
  };
  try {
    await fill({
      addFolder: (name, mode) => add(`${name}/`, mode, 0, none()),
      addBytes: (name, mode, bytes) => add(name, mode, bytes.byteLength, only(bytes)),
      async addFile(name, original) {
        const source = await open(original, "r").catch(ignoreMissing);
        if (source === undefined) return false;
        try {
          const { size, mode } = await source.stat();
          await add(name, mode, size, exactly(source, size));
          return true;
        } finally {
          await source.close();
        }
      },
    });
    const sum = checksum.end();
    const document = Buffer.from(`${JSON.stringify(sum)}\n`);
    await tar.add({ name: checksumName, mode: 0o600, size: document.byteLength }, only(document));
    await tar.end();
    return sum;
  } catch (error) {
    await tar.abandon();
    throw error;
  }
}

/** A compressed tar file. A name that ends with a slash is a folder. */
function openTar(file: string, signal: AbortSignal) {
  const tar = pack();
  // The fastest level, because the service beside it needs the processor.
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  // Readable only by its owner, because it holds keys, passwords and personal data.
  const output = createWriteStream(file, { flags: "wx", mode: 0o600, flush: true });
  const written = pipeline(Readable.from(tar), gzip, output, { signal });
  // A failed write, such as a full disk, also rejects a pending add().
  const broken = written.then(() => new Promise<never>(() => {}));
  broken.catch(() => {});
  tar.on("error", () => {});

  async function addEntry(
    header: { name: string; mode: number; size: number },
    content: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const type = header.name.endsWith("/") ? ("directory" as const) : ("file" as const);
    await new Promise<void>((resolve, reject) => {
      const sink = tar.entry({ ...header, type }, (error) => (error ? reject(error) : resolve()));
      // Without a listener, the error would also end the process.
      sink.on("error", reject);
      // The library ends the entry of a folder automatically.
      if (type === "file") pour(content, sink).catch(reject);
    });
  }

  return {
    add: (...entry: Parameters<typeof addEntry>) => Promise.race([addEntry(...entry), broken]),
    async end(): Promise<void> {
      tar.finalize();
      await written;
    },
    async abandon(): Promise<void> {
      tar.destroy();
      await written.catch(() => {});
    },
  };
}

async function pour(content: AsyncIterable<Uint8Array>, sink: Sink): Promise<void> {
  for await (const chunk of content)
    if (!sink.write(chunk)) await new Promise<void>((resolve) => void sink.once("drain", () => resolve()));
  sink.end(undefined);
}

async function* counted(
  content: AsyncIterable<Uint8Array>,
  count: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    count(chunk);
    yield chunk;
  }
}

async function* none(): AsyncGenerator<Uint8Array> {}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes;
}

/** Pads a file that was truncated while it was read with zeros. Recovery replays the truncation from the WAL. */
async function* exactly(source: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  let position = 0;
  while (position < size) {
    const wanted = Math.min(chunkBytes, size - position);
    const { buffer, bytesRead } = await source.read(Buffer.alloc(wanted), 0, wanted, position);
    const chunk = bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead);
    position += chunk.byteLength;
    yield chunk;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

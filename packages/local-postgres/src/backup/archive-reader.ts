import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import type { Product } from "../product.js";
import {
  InvalidBackup,
  checksumName,
  documentLimitBytes,
  manifestName,
  readChecksum,
  readManifest,
  type Checksum,
  type Manifest,
  startChecksum,
} from "./manifest.js";
import path from "node:path";
import { clusterFolder } from "../data-folder.js";
import { measureCluster } from "./cluster-files.js";

export interface ArchiveReader {
  manifest: Manifest;
  /** Reads all entries, once. The entries are valid only when this returns, because the checksum comes last. */
  takeEntries(take: (entry: ArchiveEntry) => Promise<void>): Promise<Checksum>;
  close(): Promise<void>;
}

export interface ArchiveEntry {
  /** The name of a folder ends with a slash. */
  name: string;
  mode: number;
  content: AsyncIterable<Uint8Array>;
}

/** Opens an archive and reads its manifest. */
export async function openArchive(
  file: string,
  product: Product,
  signal: AbortSignal,
): Promise<ArchiveReader> {
  const tar = extract();
  const read = pipeline(createReadStream(file), createGunzip(), tar, { signal });
  // Reading the next entry reports the failure.
  read.catch(() => {});
  const close = async (): Promise<void> => {
    tar.destroy();
    await read.catch(() => {});
  };
  /** An error in the middle of an entry may only say that the stream ended. The pipeline has the cause. */
  const causeOf = async (met: unknown): Promise<NodeJS.ErrnoException> => {
    try {
      if ((met as Error).message === "Stream was destroyed") await read;
      return met as Error;
    } catch (cause) {
      return cause as Error;
    }
  };
  const checksum = startChecksum();
  const sources = tar[Symbol.asyncIterator]();
  const next = async (): Promise<ArchiveEntry | undefined> => {
    const { value: source, done } = await sources.next();
    if (done) return undefined;
    const { name, mode, size } = describe(source.header);
    const bytes = source as AsyncIterable<Uint8Array>;
    if (name === checksumName) return { name, mode, content: bytes };
    checksum.begin(name, mode, size);
    return { name, mode, content: counted(bytes, checksum.add) };
  };

  try {
    const first = await next();
    const manifest =
      first?.name === manifestName ? readManifest(await readDocument(first), product) : undefined;
    if (manifest === undefined) throw new InvalidBackup("its manifest is missing");
    const takeEntries: ArchiveReader["takeEntries"] = async (take) => {
      try {
        let named: Checksum | undefined;
        for (let entry = await next(); entry !== undefined; entry = await next()) {
          if (entry.name === checksumName) named = readChecksum(await readDocument(entry));
          else await take(entry);
        }
        await read;
        return assertEqual(named, checksum.end());
      } catch (error) {
        throw explain(`${file} is damaged`, await causeOf(error));
      }
    };
    return { manifest, takeEntries, close };
  } catch (error) {
    await close();
    throw explain(`${file} is not a backup of ${product.name}, or is damaged`, await causeOf(error));
  }
}

function describe({ name, size, type, mode }: Header) {
  if (type !== "file" && type !== "directory") throw new InvalidBackup(`it contains a ${type}`);
  // The tar reader removes the slash of a folder's name, but the checksum includes it.
  return { name: type === "directory" ? `${name.replace(/\/$/, "")}/` : name, size, mode };
}

async function readDocument({ content }: ArchiveEntry): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    if (bytes > documentLimitBytes) throw new InvalidBackup("its manifest is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* counted(
  source: AsyncIterable<Uint8Array>,
  count: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    count(chunk);
    yield chunk;
  }
}

function assertEqual(named: Checksum | undefined, found: Checksum): Checksum {
  if (named === undefined) throw new InvalidBackup("its end is missing");
  if (found.sha256 !== named.sha256 || found.entries !== named.entries || found.bytes !== named.bytes)
    throw new InvalidBackup("its contents do not have the checksum that it names");
  return found;
}

/** Errors of gzip, tar and our own checks mean an invalid backup. Other errors are returned unchanged. */
function explain(problem: string, error: NodeJS.ErrnoException): Error {
  if (error.syscall === "open" || error.code === "EISDIR")
    return new InvalidBackup(`The backup cannot be read: ${error.message}`, { cause: error });
  const isOfFormat =
    error.code?.startsWith("Z_") || /tar header|Invalid header|end of data/i.test(error.message);
  if (!(error instanceof InvalidBackup) && !isOfFormat) return error;
  const reason = error.code === "Z_BUF_ERROR" ? "it is incomplete" : error.message;
  return new InvalidBackup(`${problem}: ${reason}.`, { cause: error });
}

/** Whether a file begins like a backup of this product. Reads only the manifest. */
export async function isBackupOf(file: string, product: Product): Promise<boolean> {
  try {
    const archive = await openArchive(file, product, new AbortController().signal);
    await archive.close();
    return true;
  } catch (error) {
    if (error instanceof InvalidBackup) return false;
    throw error;
  }
}

/** The size of the database files that a backup contains, uncompressed. */
export function measureDatabase(dataDirectory: string): Promise<number> {
  return measureCluster(path.join(dataDirectory, clusterFolder));
}

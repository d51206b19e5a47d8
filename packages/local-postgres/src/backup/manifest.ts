import type { Product } from "../product.js";
import { createHash } from "node:crypto";

/**
 * A backup is a compressed tar file. Its first entry says what it is, so that a file which does not fit is refused
 * before anything of it is unpacked; its last one proves that all between the two is there and unchanged.
 */
export interface Manifest {
  /** Whose backup it is, such as "gatehouse backup". */
  format: string;
  formatVersion: number;
  /** A cluster can only be read by the same major release of PostgreSQL. */
  postgresMajor: number;
  /** Such as linux-x64. */
  platform: string;
  /** What was acknowledged before this moment is in the backup. */
  createdAt: string;
}

/** What the last entry says about all entries before it. */
export interface Checksum {
  entries: number;
  bytes: number;
  sha256: string;
}

export const currentFormatVersion = 1;
export const manifestName = "manifest.json";
export const checksumName = "checksum.json";
/** Both are some hundred bytes; a longer one is not ours. */
export const documentLimitBytes = 64 * 1024;

export function formatOf({ identifier }: Product): string {
  return `${identifier} backup`;
}

/** With whatever facts it has noted. */
export function readManifest(document: Buffer, product: Product): Manifest | undefined {
  const manifest = readObject(document) as Partial<Manifest> | undefined;
  return manifest?.format === formatOf(product) ? (manifest as Manifest) : undefined;
}

export function readChecksum(document: Buffer): Checksum | undefined {
  return readObject(document) as Checksum | undefined;
}

function readObject(document: Buffer): unknown {
  try {
    return JSON.parse(document.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** A file that cannot be restored. The message is for the operator. */
export class InvalidBackup extends Error {
  override name = "InvalidBackup";
}

/** One sum over the names, modes, sizes and contents of all entries, in their order; it needs no list of them. */
export function startChecksum() {
  const hash = createHash("sha256");
  let entries = 0;
  let bytes = 0;
  return {
    begin(name: string, mode: number, size: number): void {
      entries += 1;
      hash.update(`${JSON.stringify([name, mode, size])}\n`);
    },
    add(chunk: Uint8Array): void {
      bytes += chunk.byteLength;
      hash.update(chunk);
    },
    end: (): Checksum => ({ entries, bytes, sha256: hash.digest("hex") }),
  };
}

const reasons = new Map([
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota of this user is used up"],
  ["EFBIG", "no file of this process may become that large (ulimit -f)"],
]);

/**
 * An error of writing to an open file does not say to which, and so not which disk is full. For writers that remove what
 * they could not complete. Other errors stay as they are.
 */
export function explainFullDisk(error: unknown, file: string): unknown {
  const reason = reasons.get((error as NodeJS.ErrnoException).code ?? "");
  if (reason === undefined) return error;
  return new Error(
    `${file} could not be written: ${reason}. Nothing of it is left. Make room there, or choose another place.`,
    { cause: error },
  );
}

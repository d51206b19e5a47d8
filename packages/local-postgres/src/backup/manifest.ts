import type { Product } from "../product.js";

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

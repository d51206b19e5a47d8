import { createHash } from "node:crypto";
import type pg from "pg";
import type { Product } from "../product.js";

/** The contents of a product's backups, besides the cluster and its password. */
export interface BackupKind<Facts extends object> {
  product: Product;
  /** Files of the data folder that cannot be created again, such as keys. */
  files: readonly string[];
  /** Folders of the data folder, with their files. */
  folders: readonly string[];
  /** Facts about the database for the manifest. */
  readFacts(client: pg.Client): Promise<Facts>;
  /** The program and version that made a backup, such as "Gatehouse 1.0.0". */
  makerOf(facts: Facts): string;
  /** Why this release cannot restore a backup. Completes "was made by ..., ". */
  problemOf(facts: Facts): string | undefined;
}

export type BackupContents = Pick<BackupKind<never>, "files" | "folders">;

/**
 * A backup is a compressed tar file. The manifest is its first entry, so that an unsuitable file is rejected before anything is
 * unpacked. The checksum is its last entry, and proves that all entries are complete and unchanged.
 */
export interface Manifest {
  /** For example "gatehouse backup". */
  format: string;
  formatVersion: number;
  /** A cluster can only be read by the same major release of PostgreSQL. */
  postgresMajor: number;
  /** For example linux-x64. */
  platform: string;
  /** The backup has everything that was acknowledged before. */
  createdAt: string;
}

/** The last entry, about all entries before it. */
export interface Checksum {
  entries: number;
  bytes: number;
  sha256: string;
}

export const currentFormatVersion = 1;
export const manifestName = "manifest.json";
export const checksumName = "checksum.json";
/** The limit for manifest and checksum, which have a few hundred bytes. */
export const documentLimitBytes = 64 * 1024;

export function formatOf({ identifier }: Product): string {
  return `${identifier} backup`;
}

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

/** A file that cannot be restored. Operators see the message. */
export class InvalidBackup extends Error {
  override name = "InvalidBackup";
}

/** A checksum of the names, modes, sizes and contents of all entries, in order. */
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

/** Adds the file to an error about a full disk, which does not name it. Other errors are returned unchanged. */
export function explainFullDisk(error: unknown, file: string): unknown {
  const reason = reasons.get((error as NodeJS.ErrnoException).code ?? "");
  if (reason === undefined) return error;
  return new Error(
    `${file} could not be written: ${reason}. The incomplete file was removed. Free some space, or choose another folder.`,
    { cause: error },
  );
}

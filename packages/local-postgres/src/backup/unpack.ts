import { chmod, chown, mkdir, open, stat } from "node:fs/promises";
import path from "node:path";
import { clusterFolder, passwordFile } from "../data-folder.js";
import { findServerAccount, type ServerAccount } from "../launcher.js";
import type { Product } from "../product.js";
import type { ArchiveEntry } from "./archive-reader.js";
import { explainFullDisk, InvalidBackup, type BackupContents } from "./manifest.js";

type Owner = Pick<ServerAccount, "uid" | "gid">;

/** Owners of the restored files. Undefined: the current user. */
export interface Owners {
  cluster: Owner | undefined;
  beside: Owner | undefined;
}

/**
 * Only root can choose. If another user owns the data folder, as for a container, that user gets all files. Otherwise the
 * account that runs the server gets the cluster, and root the rest.
 */
export async function chooseOwners(dataDirectory: string, product: Product): Promise<Owners> {
  if (process.geteuid?.() !== 0) return { cluster: undefined, beside: undefined };
  const existing = await stat(dataDirectory).catch(() => undefined);
  if (existing !== undefined && existing.uid !== 0) return { cluster: existing, beside: existing };
  return {
    cluster: await findServerAccount(path.join(dataDirectory, clusterFolder), product),
    beside: undefined,
  };
}

/** Writes one entry of a backup below `folder`. */
export async function unpack(
  entry: ArchiveEntry,
  folder: string,
  owners: Owners,
  contents: BackupContents,
): Promise<void> {
  if (!isAllowedName(entry.name, contents)) throw new InvalidBackup(`it contains "${entry.name}"`);
  const target = path.join(folder, entry.name);
  try {
    await (entry.name.endsWith("/") ? unpackFolder : unpackFile)(entry, target);
  } catch (error) {
    throw explainFullDisk(error, target);
  }
  const owner = entry.name.startsWith(`${clusterFolder}/`) ? owners.cluster : owners.beside;
  if (owner !== undefined) await chown(target, owner.uid, owner.gid);
}

async function unpackFolder(entry: ArchiveEntry, target: string): Promise<void> {
  await mkdir(target, { mode: 0o700 });
  await chmod(target, entry.mode);
}

async function unpackFile(entry: ArchiveEntry, target: string): Promise<void> {
  const file = await open(target, "wx", 0o600);
  try {
    for await (const chunk of entry.content) await file.writeFile(chunk);
    await file.chmod(entry.mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Whether a backup may contain this entry. It must not lead out of the data folder. */
function isAllowedName(name: string, { files, folders }: BackupContents): boolean {
  const parts = name.replace(/\/$/, "").split("/");
  const [first = "", ...rest] = parts;
  const isPlain = parts.every((part) => !["", ".", ".."].includes(part) && !/[\\\0]/.test(part));
  const isFolder = first === clusterFolder || folders.includes(first);
  const isFile = first === passwordFile || files.includes(first);
  return isPlain && (isFolder || (isFile && rest.length === 0));
}

import { chmod, chown, mkdir, open, stat } from "node:fs/promises";
import path from "node:path";
import { clusterFolder } from "../data-folder.js";
import { type Product, findServerAccount, type ServerAccount } from "../product.js";
import type { ArchiveEntry } from "./archive-reader.js";
import { belongsIntoDataFolder, type BackupContents } from "./contents.js";
import { explainFullDisk, InvalidBackup } from "./manifest.js";

type Owner = Pick<ServerAccount, "uid" | "gid">;

/** Who is to own what is restored; undefined: whoever restores it. */
export interface Owners {
  cluster: Owner | undefined;
  beside: Owner | undefined;
}

/**
 * Only root has a choice. In a folder that somebody else has made, as for a container, everything becomes theirs;
 * otherwise the cluster belongs to the account that runs the server for root, and the rest to root.
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
  if (!belongsIntoDataFolder(entry.name, contents)) throw new InvalidBackup(`it contains "${entry.name}"`);
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

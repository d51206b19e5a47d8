import type pg from "pg";
import { clusterFolder, passwordFile } from "../data-folder.js";
import type { Product } from "../product.js";

/** What the backups of a product hold beside the cluster and its password, and what they say of themselves. */
export interface BackupKind<Facts extends object> {
  product: Product;
  /** What of the data folder cannot be made anew, such as keys. The server's log is left out. */
  files: readonly string[];
  /** The same for folders, with the files in them. */
  folders: readonly string[];
  /** What is noted of the database; it goes into the manifest as it is. */
  readFacts(client: pg.Client): Promise<Facts>;
  /** Who made a backup, such as "Gatehouse 1.0.0". */
  makerOf(facts: Facts): string;
  /** Why this release cannot work with a backup, if that is so. Goes on after "was made by ..., ". */
  problemOf(facts: Facts): string | undefined;
}

/** The names of a backup's kind that decide what may be in one. */
export type BackupContents = Pick<BackupKind<never>, "files" | "folders">;

/** Whether a backup may contain an entry of this name: it must not reach out of the data folder. */
export function belongsIntoDataFolder(name: string, { files, folders }: BackupContents): boolean {
  const parts = name.replace(/\/$/, "").split("/");
  const [first = "", ...rest] = parts;
  const isPlain = parts.every((part) => !["", ".", ".."].includes(part) && !/[\\\0]/.test(part));
  const isFolder = first === clusterFolder || folders.includes(first);
  const isFile = first === passwordFile || files.includes(first);
  return isPlain && (isFolder || (isFile && rest.length === 0));
}

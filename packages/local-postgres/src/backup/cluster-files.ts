import { readdir, stat } from "node:fs/promises";
import path from "node:path";

/**
 * Files that PostgreSQL's manual says to leave out of a backup: files of the running process, files that a start creates, and
 * the WAL, of which the backup has its own part.
 */
const leftOut = new Set([
  "postmaster.pid",
  "postmaster.opts",
  "backup_label",
  "backup_label.old",
  "tablespace_map",
  "tablespace_map.old",
  "backup_manifest",
  "postgresql.auto.conf.tmp",
  "current_logfiles",
  "current_logfiles.tmp",
  // Copied separately, as the last file.
  "global/pg_control",
]);
const leftEmpty = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
/** Temporary files of sorts, and caches that every start creates. */
const temporaryPrefixes = ["pgsql_tmp", "pg_internal.init"];
/** A temporary table: t, its session, and the number of its file. */
const temporaryTable = /^t\d+_\d+(?:_(?:fsm|vm|init))?(?:\.\d+)?$/;

export interface ClusterEntry {
  /** Relative to the cluster, with forward slashes. */
  name: string;
  isFolder: boolean;
  mode: number;
}

/** Folders come before their contents. A file that disappears meanwhile was dropped, which the WAL records. */
export async function* clusterEntries(directory: string, folder = ""): AsyncGenerator<ClusterEntry> {
  for (const child of (await ifPresent(readdir(path.join(directory, folder)))) ?? []) {
    const name = folder === "" ? child : `${folder}/${child}`;
    if (isLeftOut(name, child)) continue;
    // Follows links, because the WAL may be on another disk.
    const found = await ifPresent(stat(path.join(directory, name)));
    if (found === undefined || !(found.isFile() || found.isDirectory())) continue;
    yield { name, isFolder: found.isDirectory(), mode: found.mode };
    if (found.isDirectory() && !leftEmpty.has(name)) yield* clusterEntries(directory, name);
  }
}

/** The approximate size of a backup, uncompressed and without WAL. */
export async function measureCluster(directory: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isFolder } of clusterEntries(directory)) {
    if (!isFolder) bytes += (await ifPresent(stat(path.join(directory, name))))?.size ?? 0;
  }
  return bytes;
}

function isLeftOut(name: string, lastPart: string): boolean {
  return (
    leftOut.has(name) ||
    temporaryPrefixes.some((prefix) => lastPart.startsWith(prefix)) ||
    (name.startsWith("base/") && temporaryTable.test(lastPart))
  );
}

async function ifPresent<T>(found: Promise<T>): Promise<T | undefined> {
  return found.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
}

import { lstat, mkdir, readdir, readFile, realpath, rename, rm, writeFile, statfs } from "node:fs/promises";
import path from "node:path";
import {
  acquireLock,
  explainFullDisk,
  isBackupOf,
  isWithin,
  removeTemporaryRestore,
} from "@gatehouse-parking/local-postgres/backup";
import { gatehouse } from "../../core/database/database-server.js";
import { readLastBackup } from "../../core/last-backup.js";
import {
  formatNote,
  isDraft,
  isGood,
  isTestRestore,
  noteFileOf,
  readBackupName,
  readNote,
  type KeptBackup,
} from "./kept-backup.js";
import type pg from "pg";

/** How many failed or untested backups are kept, in addition to good ones. */
const othersKept = 2;
const maxNoteBytes = 64 * 1024;

/**
 * Creates the folder if it is missing and resolves links. Its parent folder must exist: without it, the disk is probably not
 * mounted, and the folder would be created on the wrong disk.
 */
export async function openBackupFolder(directory: string, dataDirectory: string): Promise<string> {
  const wanted = path.resolve(directory);
  const refuseInDataFolder = (place: string): void => {
    if (isWithin(place, dataDirectory))
      throw new Error(
        `The backup folder ${wanted} is in the data folder, and backups would be lost together with it. ` +
          "Choose another folder with GATEHOUSE_BACKUP_DIR.",
      );
  };
  try {
    // Checked before the folder is created and again afterwards, because a link may lead into the data folder.
    refuseInDataFolder(path.join(await realpath(path.dirname(wanted)), path.basename(wanted)));
    await requireMounted(wanted, dataDirectory);
    await mkdir(wanted, { mode: 0o700 }).catch(ignoreExisting);
    const folder = await realpath(wanted);
    if (!(await lstat(folder)).isDirectory()) throw new Error(`The backup folder ${wanted} is not a folder.`);
    refuseInDataFolder(folder);
    return folder;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const reason = code === "ENOENT" ? "its parent folder does not exist" : message;
    throw new Error(`The backup folder ${wanted} cannot be used: ${reason}.`, { cause: error });
  }
}

/** A missing folder that was used before is probably on a disk that is not mounted. */
async function requireMounted(wanted: string, dataDirectory: string): Promise<void> {
  const last = await readLastBackup(dataDirectory);
  if (last === null || (await exists(wanted))) return;
  const place = path.join(await realpath(path.dirname(wanted)), path.basename(wanted));
  if (path.dirname(last.file) === place)
    throw new Error(
      `The backup folder ${wanted} does not exist, but the last backup was made there. Is its disk mounted? ` +
        "To use a new folder, create it yourself.",
    );
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

/** Lists the scheduled backups of this database, oldest first. Ignores links and other files. */
export async function listBackups(folder: string, database: string): Promise<KeptBackup[]> {
  const found: KeptBackup[] = [];
  for (const name of await readdir(folder)) {
    const named = readBackupName(name, database);
    if (named === undefined) continue;
    const file = path.join(folder, name);
    const entry = await lstat(file).catch(() => undefined);
    if (!entry?.isFile()) continue;
    const bare: KeptBackup = {
      file,
      ...named,
      bytes: entry.size,
      trial: "pending",
      problem: null,
      triedAt: null,
    };
    found.push(readNote(await readNoteFile(noteFileOf(file)), bare));
  }
  return found.toSorted((one, other) => one.number - other.number);
}

async function readNoteFile(file: string): Promise<string | undefined> {
  const entry = await lstat(file).catch(() => undefined);
  if (!entry?.isFile() || entry.size > maxNoteBytes) return undefined;
  return readFile(file, "utf8").catch(() => undefined);
}

export async function writeNote(backup: KeptBackup): Promise<void> {
  const file = noteFileOf(backup.file);
  const draft = `${file}.new`;
  // Removes a link instead of following it.
  await rm(draft, { force: true });
  try {
    await writeFile(draft, formatNote(backup), { flag: "wx", mode: 0o600, flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw explainFullDisk(error, file);
  }
}

/** Removes files of killed processes. Only under the folder lock. */
export async function removeLeftovers(folder: string, database: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!isTestRestore(name, database) && !isDraft(name, database)) continue;
    const left = path.join(folder, name);
    const entry = await lstat(left).catch(() => undefined);
    if (isTestRestore(name, database)) {
      if (entry?.isDirectory()) await removeTemporaryRestore(gatehouse, left);
    } else if (entry?.isFile()) await rm(left, { force: true });
  }
}

/**
 * Keeps the newest good backups and a few others. Backups that were made without tests count as good: switching tests on must
 * not delete the only backups in favour of ones that may fail. A file is deleted only if it has the name and the manifest of a
 * backup of this database. Returns the names of deleted files.
 */
export async function removeOld(folder: string, database: string, kept: number): Promise<string[]> {
  const backups = (await listBackups(folder, database)).toReversed();
  const good = backups.filter((backup) => isGood(backup, false));
  const others = backups.filter((backup) => !isGood(backup, false));
  const removed: string[] = [];
  for (const { file } of [...good.slice(kept), ...others.slice(othersKept)]) {
    if (!(await isBackupOf(file, gatehouse).catch(() => false))) continue;
    // The note last, because it is ignored without its backup.
    await rm(file, { force: true });
    await rm(noteFileOf(file), { force: true });
    removed.push(path.basename(file));
  }
  return removed;
}

/** The advisory lock for all work in the folder. */
const folderLock = 7_165_283_043;

/** The lock ends with the session of the client. */
export function acquireFolderLock(client: pg.ClientBase, signal: AbortSignal): Promise<void> {
  return acquireLock(client, folderLock, signal);
}

/** Does the work if the folder is not locked. */
export async function ifUnlocked(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ is_locked: boolean }>(
      "select pg_try_advisory_lock($1) as is_locked",
      [folderLock],
    );
    if (rows[0]?.is_locked) await work();
  } finally {
    // Closing the connection releases the lock.
    client.release(true);
  }
}

const megabyte = 1024 * 1024;
/** For the WAL in the backup, and to leave some free space. */
const reserveBytes = 128 * megabyte;

export interface DiskSpaceNeeds {
  folder: string;
  /** The size of the database's files, before they are compressed. */
  databaseBytes: number;
  /** The size of the last backup. Undefined: there is none, so the compression ratio is unknown. */
  lastBytes: number | undefined;
  isTried: boolean;
}

/** An estimate: the backup, and the uncompressed database for the test restore. */
export function diskSpaceFor({ databaseBytes, lastBytes, isTried }: Omit<DiskSpaceNeeds, "folder">): number {
  const archive = lastBytes === undefined ? databaseBytes : Math.min(databaseBytes, 2 * lastBytes);
  return archive + (isTried ? databaseBytes : 0) + reserveBytes;
}

export async function requireDiskSpace(needs: DiskSpaceNeeds): Promise<void> {
  const { bavail, bsize } = await statfs(needs.folder);
  const free = bavail * bsize;
  const wanted = diskSpaceFor(needs);
  if (free >= wanted) return;
  const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / megabyte)} MB`;
  throw new Error(
    `There is not enough disk space in ${needs.folder}: ${inMegabytes(free)} are free, and a backup` +
      `${needs.isTried ? " with its test restore" : ""} needs about ${inMegabytes(wanted)}.` +
      (needs.isTried ? " To skip the test restore, set GATEHOUSE_BACKUP_VERIFY=off." : ""),
  );
}

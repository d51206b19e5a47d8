import { lstat, mkdir, readdir, readFile, realpath, rename, rm, writeFile, statfs } from "node:fs/promises";
import path from "node:path";
import {
  explainFullDisk,
  isBackupOf,
  isWithin,
  removeTrial,
  awaitTurn,
} from "@gatehouse-parking/local-postgres/backup";
import { gatehouse } from "../../core/database/database-server.js";
import { readLastBackup } from "../../core/last-backup.js";
import {
  isDraft,
  isGood,
  isTrial,
  noteFileOf,
  readBackupName,
  readNote,
  writtenNote,
  type KeptBackup,
} from "./kept-backup.js";
import type pg from "pg";

/**
 * How many backups are kept for somebody to look at that could not be restored, or were never tried. They take no place
 * from good ones.
 */
const keptOthers = 2;
const maxNoteBytes = 64 * 1024;

/**
 * Makes the folder unless it is there, and returns its path without links. The folder above it must exist: if it lies
 * on a disk that is not mounted, the folder would be made on the wrong disk.
 */
export async function openBackupFolder(directory: string, dataDirectory: string): Promise<string> {
  const wanted = path.resolve(directory);
  const refuseWithin = (place: string): void => {
    if (isWithin(place, dataDirectory))
      throw new Error(
        `The folder for backups, ${wanted}, leads into the data folder, and backups would be lost together with it. ` +
          "Choose another with GATEHOUSE_BACKUP_DIR.",
      );
  };
  try {
    // A link on the way may lead into the data folder, so this is asked before the folder is made and once more after.
    refuseWithin(path.join(await realpath(path.dirname(wanted)), path.basename(wanted)));
    await refuseLost(wanted, dataDirectory);
    await mkdir(wanted, { mode: 0o700 }).catch(unlessThere);
    const folder = await realpath(wanted);
    if (!(await lstat(folder)).isDirectory())
      throw new Error(`${wanted}, the folder for backups, is no folder.`);
    refuseWithin(folder);
    return folder;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const reason = code === "ENOENT" ? "the folder above it is not there" : message;
    throw new Error(`The folder for backups, ${wanted}, cannot be used: ${reason}.`, { cause: error });
  }
}

/** A folder that was used and is gone is most likely on a disk that is not mounted, and is not made on another one. */
async function refuseLost(wanted: string, dataDirectory: string): Promise<void> {
  const last = await readLastBackup(dataDirectory);
  if (last === null || (await exists(wanted))) return;
  const place = path.join(await realpath(path.dirname(wanted)), path.basename(wanted));
  if (path.dirname(last.file) === place)
    throw new Error(
      `The folder for backups, ${wanted}, is gone, and the last backup was made there. Is its disk mounted? ` +
        "If it is to be a new one, make the folder yourself.",
    );
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

/** What the service made of this database, in the order of making. Links, and what others have put there, are no part of it. */
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

export async function noteKept(backup: KeptBackup): Promise<void> {
  const file = noteFileOf(backup.file);
  const draft = `${file}.new`;
  // A link that lies there is not followed.
  await rm(draft, { force: true });
  try {
    await writeFile(draft, writtenNote(backup), { flag: "wx", mode: 0o600, flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw explainFullDisk(error, file);
  }
}

/** What a process that was killed has left. Only for whoever makes a backup, while nobody else does. */
export async function removeLeftovers(folder: string, database: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!isTrial(name, database) && !isDraft(name, database)) continue;
    const left = path.join(folder, name);
    const entry = await lstat(left).catch(() => undefined);
    if (isTrial(name, database)) {
      if (entry?.isDirectory()) await removeTrial(gatehouse, left);
    } else if (entry?.isFile()) await rm(left, { force: true });
  }
}

/**
 * Keeps the newest that are good, and a few of the others. Those of a time when none were restored count as they did then:
 * the switch that has backups tried must not delete the only ones there are, to make room for some that may fail. A file is deleted only if its name says that the service made it
 * of this database and it begins as a backup does. Returns the names of the deleted ones.
 */
export async function removeOld(folder: string, database: string, kept: number): Promise<string[]> {
  const backups = (await listBackups(folder, database)).toReversed();
  const good = backups.filter((backup) => isGood(backup, false));
  const others = backups.filter((backup) => !isGood(backup, false));
  const removed: string[] = [];
  for (const { file } of [...good.slice(kept), ...others.slice(keptOthers)]) {
    if (!(await isBackupOf(file, gatehouse).catch(() => false))) continue;
    // The note last: without the file it means nothing, and the next time finds neither.
    await rm(file, { force: true });
    await rm(noteFileOf(file), { force: true });
    removed.push(path.basename(file));
  }
  return removed;
}

/** The number of the lock of whoever works in the folder: one at a time, from clearing up to deleting old ones. */
const folderLock = 7_165_283_043;

/** The turn ends with the session of the client. */
export function awaitFolderTurn(client: pg.ClientBase, signal: AbortSignal): Promise<void> {
  return awaitTurn(client, folderLock, signal);
}

/** Does the work if nobody else works in the folder, and otherwise nothing. */
export async function unlessTaken(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ is_ours: boolean }>("select pg_try_advisory_lock($1) as is_ours", [
      folderLock,
    ]);
    if (rows[0]?.is_ours) await work();
  } finally {
    // Closing the connection ends the turn, whatever happened.
    client.release(true);
  }
}

const megabyte = 1024 * 1024;
/** For the part of the log that comes with a backup, and so that the disk is not filled to its last byte. */
const reserveBytes = 128 * megabyte;

export interface RoomNeeds {
  folder: string;
  /** The size of the database's files, before they are compressed. */
  databaseBytes: number;
  /** How large the last backup became; undefined: there was none, and it may not get smaller at all. */
  lastBytes: number | undefined;
  isTried: boolean;
}

/** About how much a backup takes while it is made: itself, and the whole database for the trial. */
export function roomFor({ databaseBytes, lastBytes, isTried }: Omit<RoomNeeds, "folder">): number {
  const archive = lastBytes === undefined ? databaseBytes : Math.min(databaseBytes, 2 * lastBytes);
  return archive + (isTried ? databaseBytes : 0) + reserveBytes;
}

/** Says that the disk is too full before anything is written, instead of filling it. */
export async function requireRoom(needs: RoomNeeds): Promise<void> {
  const { bavail, bsize } = await statfs(needs.folder);
  const free = bavail * bsize;
  const wanted = roomFor(needs);
  if (free >= wanted) return;
  const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / megabyte)} MB`;
  throw new Error(
    `There is too little room in ${needs.folder}: ${inMegabytes(free)} are free, and a backup` +
      `${needs.isTried ? " with the restore that tries it" : ""} needs about ${inMegabytes(wanted)}.` +
      (needs.isTried ? " GATEHOUSE_BACKUP_VERIFY=off does without the restore." : ""),
  );
}

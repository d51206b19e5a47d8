import { constants, setPriority } from "node:os";
import path from "node:path";
import { backUp, findDataFolder, measureDatabase } from "@gatehouse-parking/local-postgres/backup";
import pg from "pg";
import type { Config } from "../../core/config.js";
import { backupKind } from "../../core/database/backup-kind.js";
import { gatehouse, startEmbeddedServer } from "../../core/database/database-server.js";
import { noteBackup } from "../../core/last-backup.js";
import {
  acquireFolderLock,
  listBackups,
  writeNote,
  openBackupFolder,
  removeLeftovers,
  removeOld,
  requireDiskSpace,
} from "./backup-folder.js";
import { backupName, isGood, readDatabaseName, testRestorePrefix, type KeptBackup } from "./kept-backup.js";
import { verifyBackup, type VerifyReport } from "./verify-backup.js";

const connectTimeoutMs = 10_000;

export type BackupSettings = Pick<Config, "dataDirectory" | "backupsKept" | "backupsTried"> & {
  backupDirectory: string;
};

export interface MadeBackup {
  file: string;
  bytes: number;
  createdAt: string;
  /** Null: not tested. */
  triedAt: string | null;
  /** Absent if another process made the backup. */
  read?: VerifyReport;
  /** Names of older backups that were deleted. */
  removed: string[];
}

/** Makes a backup, tests it and deletes old ones. The service runs this in a separate process to keep its event loop free. */
export async function makeBackup(settings: BackupSettings, signal: AbortSignal): Promise<MadeBackup> {
  const begunAt = new Date();
  const dataDirectory = await findDataFolder(settings.dataDirectory, gatehouse);
  // Not supervised, because a server that this process restarts would keep its low priority.
  const server = await startEmbeddedServer({ dataDirectory, isSupervised: false });
  try {
    // Not earlier, so that only the server of the test restore inherits the low priority.
    lowerPriority();
    const client = new pg.Client({
      connectionString: server.connectionString,
      application_name: "gatehouse backup lock",
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
    });
    // The next statement reports a lost connection. Without a listener, the event would end the process.
    client.on("error", () => undefined);
    await client.connect();
    try {
      await acquireFolderLock(client, signal);
      const database = await readDatabaseName(client);
      const folder = await openBackupFolder(settings.backupDirectory, dataDirectory);
      const place = { ...settings, dataDirectory, folder, database };
      const existing = await findMadeMeanwhile(place, begunAt);
      return existing ?? (await makeUnderLock(place, server, signal));
    } finally {
      await client.end().catch(() => undefined);
    }
  } finally {
    await server.stop();
  }
}

function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed here. The backup runs at normal priority.
  }
}

interface Place extends BackupSettings {
  folder: string;
  database: string;
}

/** Another process may have made a backup while this one waited for the lock. */
async function findMadeMeanwhile(place: Place, begunAt: Date): Promise<MadeBackup | undefined> {
  const newest = (await listBackups(place.folder, place.database)).at(-1);
  if (newest === undefined || !isGood(newest, place.backupsTried)) return undefined;
  if (Date.parse(newest.createdAt) < begunAt.getTime() || Date.parse(newest.createdAt) > Date.now())
    return undefined;
  const { file, bytes, createdAt, triedAt } = newest;
  return { file, bytes, createdAt, triedAt, removed: [] };
}

async function makeUnderLock(
  place: Place,
  server: { connectionString: string },
  signal: AbortSignal,
): Promise<MadeBackup> {
  const { folder, database, dataDirectory, backupsTried: isTried } = place;
  await removeLeftovers(folder, database);
  // Also before the backup, because the call below is not reached if this backup fails.
  await removeOld(folder, database, place.backupsKept);
  const known = (await listBackups(folder, database)).at(-1);
  const databaseBytes = await measureDatabase(dataDirectory);
  await requireDiskSpace({ folder, databaseBytes, lastBytes: known?.bytes, isTried });

  const number = (known?.number ?? 0) + 1;
  const file = path.join(folder, backupName(database, number, new Date()));
  const { createdAt, fileBytes: bytes } = await backUp(backupKind, { dataDirectory, file, server, signal });
  const made: KeptBackup = {
    file,
    number,
    createdAt,
    bytes,
    trial: isTried ? "pending" : "left out",
    problem: null,
    triedAt: null,
  };
  await writeNote(made);
  const read = isTried ? await verifyAndNote(made, testRestorePrefix(database), signal) : undefined;
  const triedAt = isTried ? new Date().toISOString() : null;
  if (isTried) await writeNote({ ...made, trial: "passed", triedAt });
  // For services without a schedule. Those with one read the folder.
  await noteBackup(dataDirectory, { createdAt, file, bytes }).catch(() => undefined);
  const removed = await removeOld(folder, database, place.backupsKept);
  return { file, bytes, createdAt, triedAt, ...(read && { read }), removed };
}

async function verifyAndNote(made: KeptBackup, prefix: string, signal: AbortSignal): Promise<VerifyReport> {
  const folder = path.dirname(made.file);
  try {
    return await verifyBackup(made.file, { folderPrefix: path.join(folder, prefix), signal });
  } catch (error) {
    if (signal.aborted) throw error;
    const problem = (error as Error).message;
    const triedAt = new Date().toISOString();
    await writeNote({ ...made, trial: "failed", problem, triedAt });
    throw new Error(`The backup ${made.file} was made, but the test restore failed: ${problem}`, {
      cause: error,
    });
  }
}

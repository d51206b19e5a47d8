import { constants, setPriority } from "node:os";
import path from "node:path";
import { backUp, findDataFolder, measureDatabase } from "@gatehouse-parking/local-postgres/backup";
import pg from "pg";
import type { Config } from "../../core/config.js";
import { backupKind } from "../../core/database/backup-kind.js";
import { gatehouse, startEmbeddedServer } from "../../core/database/database-server.js";
import { noteBackup } from "../../core/last-backup.js";
import {
  listBackups,
  noteKept,
  openBackupFolder,
  removeLeftovers,
  removeOld,
  awaitFolderTurn,
  requireRoom,
} from "./backup-folder.js";
import { nameOfDatabase } from "./database-name.js";
import { backupName, isGood, trialPrefix, type KeptBackup } from "./kept-backup.js";
import { tryBackup, type TrialReport } from "./try-backup.js";

const connectTimeoutMs = 10_000;

export type BackupSettings = Pick<Config, "dataDirectory" | "backupsKept" | "backupsTried"> & {
  backupDirectory: string;
};

export interface MadeBackup {
  file: string;
  bytes: number;
  createdAt: string;
  /** Null: it was not asked for. */
  triedAt: string | null;
  /** What was read of it; absent if another process made it. */
  read?: TrialReport;
  /** The names of those that were deleted because newer ones are kept. */
  removed: string[];
}

/**
 * Makes one backup into the folder for them, tries it, and deletes what is old. It runs in a process of its own, beside the
 * service or without one, so that the service has its event loop to itself.
 */
export async function makeBackup(settings: BackupSettings, signal: AbortSignal): Promise<MadeBackup> {
  const begunAt = new Date();
  const dataDirectory = await findDataFolder(settings.dataDirectory, gatehouse);
  // Not supervised: a server that we brought back would keep our low priority.
  const server = await startEmbeddedServer({ dataDirectory, isSupervised: false });
  try {
    // The server that this may have started keeps its priority; the server of the trial inherits ours.
    bePolite();
    const client = new pg.Client({
      connectionString: server.connectionString,
      application_name: "gatehouse backup turn",
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
    });
    // The next statement reports a lost connection; an event without a listener would end the process.
    client.on("error", () => undefined);
    await client.connect();
    try {
      await awaitFolderTurn(client, signal);
      const database = await nameOfDatabase(client);
      const folder = await openBackupFolder(settings.backupDirectory, dataDirectory);
      const place = { ...settings, dataDirectory, folder, database };
      const meanwhile = await madeMeanwhile(place, begunAt);
      return meanwhile ?? (await makeAlone(place, server, signal));
    } finally {
      await client.end().catch(() => undefined);
    }
  } finally {
    await server.stop();
  }
}

/** Where the system does not allow it, a backup at the usual priority is better than none. */
function bePolite(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The priority stays as it is.
  }
}

interface Place extends BackupSettings {
  folder: string;
  database: string;
}

/** While this process waited for its turn, another may have done the work. */
async function madeMeanwhile(place: Place, begunAt: Date): Promise<MadeBackup | undefined> {
  const newest = (await listBackups(place.folder, place.database)).at(-1);
  if (newest === undefined || !isGood(newest, place.backupsTried)) return undefined;
  if (Date.parse(newest.createdAt) < begunAt.getTime() || Date.parse(newest.createdAt) > Date.now())
    return undefined;
  const { file, bytes, createdAt, triedAt } = newest;
  return { file, bytes, createdAt, triedAt, removed: [] };
}

async function makeAlone(
  place: Place,
  server: { connectionString: string },
  signal: AbortSignal,
): Promise<MadeBackup> {
  const { folder, database, dataDirectory, backupsTried: isTried } = place;
  await removeLeftovers(folder, database);
  // Backups that failed are cleared away first: the second call below is reached only if this one is good.
  await removeOld(folder, database, place.backupsKept);
  const known = (await listBackups(folder, database)).at(-1);
  const databaseBytes = await measureDatabase(dataDirectory);
  await requireRoom({ folder, databaseBytes, lastBytes: known?.bytes, isTried });

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
  await noteKept(made);
  const read = isTried ? await tryAndNote(made, trialPrefix(database), signal) : undefined;
  const triedAt = isTried ? new Date().toISOString() : null;
  if (isTried) await noteKept({ ...made, trial: "passed", triedAt });
  // The note for a service without a schedule; where there is one, it reads the folder itself.
  await noteBackup(dataDirectory, { createdAt, file, bytes }).catch(() => undefined);
  const removed = await removeOld(folder, database, place.backupsKept);
  return { file, bytes, createdAt, triedAt, ...(read && { read }), removed };
}

async function tryAndNote(made: KeptBackup, prefix: string, signal: AbortSignal): Promise<TrialReport> {
  const folder = path.dirname(made.file);
  try {
    return await tryBackup(made.file, { folderPrefix: path.join(folder, prefix), signal });
  } catch (error) {
    if (signal.aborted) throw error;
    const problem = (error as Error).message;
    const triedAt = new Date().toISOString();
    await noteKept({ ...made, trial: "failed", problem, triedAt });
    throw new Error(
      `The backup ${made.file} was made, but it could not be restored for a trial: ${problem}`,
      {
        cause: error,
      },
    );
  }
}

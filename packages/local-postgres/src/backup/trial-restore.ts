import { mkdtemp, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { prepareBinaries } from "../binaries.js";
import { clusterFolder, serverLogFile } from "../data-folder.js";
import { findPostmaster, stopPostmaster } from "../postmaster.js";
import type { Product } from "../product.js";
import { startServer } from "../server.js";
import type { BackupKind } from "./contents.js";
import { restore, type RestoreReport } from "./restore.js";

export interface TrialOptions {
  file: string;
  /** How the name of the folder begins that the backup is restored into for the trial. Nothing is left of it. */
  folderPrefix: string;
  settings?: Record<string, string>;
  signal: AbortSignal;
}

const dataFolder = "data";

/**
 * Restores a backup into a folder that is thrown away, starts a server on it, and hands that over to whoever wants to look
 * at it. Only what was restored once is known to be restorable.
 */
export async function tryRestore<Facts extends object, T>(
  kind: BackupKind<Facts>,
  { file, folderPrefix, settings = {}, signal }: TrialOptions,
  examine: (connectionString: string, report: RestoreReport<Facts>) => Promise<T>,
): Promise<T> {
  const { product } = kind;
  const trial = await mkdtemp(folderPrefix);
  try {
    const dataDirectory = path.join(trial, dataFolder);
    const report = await restore(kind, { dataDirectory, file, signal });
    signal.throwIfAborted();
    const server = await startServer({ product, dataDirectory, settings, isSupervised: false, signal });
    // It ends what is being asked there, too.
    const end = (): void => void server.stop().catch(() => undefined);
    signal.addEventListener("abort", end, { once: true });
    try {
      signal.throwIfAborted();
      return await examine(server.connectionString, report);
    } finally {
      signal.removeEventListener("abort", end);
      await server.stop();
    }
  } finally {
    await removeTrial(product, trial);
  }
}

/** Removes the folder of a trial, also of one that was killed: its server may still run. */
export async function removeTrial(product: Product, trial: string): Promise<void> {
  const dataDirectory = path.join(await realpath(trial), dataFolder);
  const directory = path.join(dataDirectory, clusterFolder);
  const postmaster = await findPostmaster(directory);
  if (postmaster !== undefined) {
    const logFile = path.join(dataDirectory, serverLogFile);
    const binaries = await prepareBinaries(product);
    await stopPostmaster({ directory, logFile, binaries }, postmaster.pid, () => undefined);
  }
  await rm(trial, { recursive: true, force: true });
}

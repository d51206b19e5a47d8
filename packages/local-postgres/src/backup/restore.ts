import { execFile } from "node:child_process";
import { mkdtemp, readdir, realpath, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { prepareBinaries } from "../binaries.js";
import { prepareDataDirectory } from "../cluster.js";
import {
  clusterFolder,
  passwordFile,
  serverLogFile,
  syncFolder,
  unfinishedRestorePrefix,
} from "../data-folder.js";
import { findPostmaster, stopPostmaster } from "../postmaster.js";
import type { Product } from "../product.js";
import { startServer } from "../server.js";
import { openArchive } from "./archive-reader.js";
import {
  InvalidBackup,
  currentFormatVersion,
  type BackupKind,
  type Checksum,
  type Manifest,
} from "./manifest.js";
import { chooseOwners, unpack } from "./unpack.js";

export interface RestoreOptions {
  dataDirectory: string;
  file: string;
  signal: AbortSignal;
}

export type RestoreReport<Facts> = Manifest & Facts & Checksum & { dataDirectory: string };

/** Restores a data folder. Files are moved into place only when the backup has proved complete. */
export async function restore<Facts extends object>(
  kind: BackupKind<Facts>,
  options: RestoreOptions,
): Promise<RestoreReport<Facts>> {
  const { product } = kind;
  const file = path.resolve(options.file);
  const existed = await requireEmptyFolder(path.resolve(options.dataDirectory), product);
  const archive = await openArchive(file, product, options.signal);
  try {
    const manifest = archive.manifest as Manifest & Facts;
    await requireCompatible(file, manifest, kind);
    const owners = await chooseOwners(options.dataDirectory, product);
    const dataDirectory = await prepareDataDirectory(options.dataDirectory, owners.cluster);
    const temporaryFolder = await mkdtemp(path.join(dataDirectory, unfinishedRestorePrefix));
    try {
      const checksum = await archive.takeEntries((entry) => unpack(entry, temporaryFolder, owners, kind));
      await moveIntoPlace(temporaryFolder, dataDirectory);
      return { ...manifest, ...checksum, dataDirectory };
    } finally {
      await rm(temporaryFolder, { recursive: true, force: true });
      // Removes a folder that this restore created, if it is empty.
      if (!existed) await rmdir(dataDirectory).catch(() => {});
    }
  } finally {
    await archive.close();
  }
}

/** Returns whether the folder exists. */
async function requireEmptyFolder(directory: string, { folderVariable }: Product): Promise<boolean> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (entries === undefined) return false;
  const postmaster = await findPostmaster(path.join(await realpath(directory), clusterFolder));
  if (postmaster !== undefined)
    throw new Error(
      `A service runs on ${directory} (its database server is process ${postmaster.pid}). ` +
        `Stop it, and move the folder away: mv ${directory} ${directory}.old`,
    );
  // A mounted file system may have that folder.
  if (entries.some((name) => name !== "lost+found"))
    throw new Error(
      `${directory} is not empty, and a restore does not overwrite files. Move it away ` +
        `(mv ${directory} ${directory}.old), or name another folder with ${folderVariable}.`,
    );
  return true;
}

async function requireCompatible<Facts extends object>(
  file: string,
  manifest: Manifest & Facts,
  kind: BackupKind<Facts>,
): Promise<void> {
  const refuse = (problem: string): never => {
    throw new InvalidBackup(`${file} was made by ${kind.makerOf(manifest)}, ${problem}`);
  };
  if (manifest.formatVersion !== currentFormatVersion)
    refuse(
      `in version ${manifest.formatVersion} of the format, and this release reads version ${currentFormatVersion}.`,
    );
  const major = await bundledMajor(kind.product);
  if (manifest.postgresMajor !== major)
    refuse(
      `with PostgreSQL ${manifest.postgresMajor}, and this release has PostgreSQL ${major}. Restore it with that release.`,
    );
  const problem = kind.problemOf(manifest);
  if (problem !== undefined) refuse(problem);
}

async function bundledMajor(product: Product): Promise<number> {
  const { postgres } = await prepareBinaries(product);
  const { stdout } = await promisify(execFile)(postgres, ["--version"]);
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
}

/**
 * Moves the cluster first and its password last. After a power failure in between, a start finds a cluster without a password
 * and fails, instead of creating an empty database.
 */
async function moveIntoPlace(temporaryFolder: string, dataDirectory: string): Promise<void> {
  const names = await readdir(temporaryFolder);
  if (!names.includes(clusterFolder) || !names.includes(passwordFile))
    throw new InvalidBackup("The backup does not contain a database.");
  const between = names.filter((name) => name !== clusterFolder && name !== passwordFile);
  for (const name of [clusterFolder, ...between, passwordFile]) {
    await rename(path.join(temporaryFolder, name), path.join(dataDirectory, name));
    await syncFolder(dataDirectory);
  }
}

export interface TemporaryRestoreOptions {
  file: string;
  /** The path prefix of the temporary folder. */
  folderPrefix: string;
  settings?: Record<string, string>;
  signal: AbortSignal;
}

const dataFolder = "data";

/** Restores a backup into a temporary folder, starts a server there and calls `examine`. Removes the folder afterwards. */
export async function withTemporaryRestore<Facts extends object, T>(
  kind: BackupKind<Facts>,
  { file, folderPrefix, settings = {}, signal }: TemporaryRestoreOptions,
  examine: (connectionString: string, report: RestoreReport<Facts>) => Promise<T>,
): Promise<T> {
  const { product } = kind;
  const folder = await mkdtemp(folderPrefix);
  try {
    const dataDirectory = path.join(folder, dataFolder);
    const report = await restore(kind, { dataDirectory, file, signal });
    signal.throwIfAborted();
    const server = await startServer({ product, dataDirectory, settings, isSupervised: false, signal });
    // Stopping the server also ends running queries.
    const stop = (): void => void server.stop().catch(() => undefined);
    signal.addEventListener("abort", stop, { once: true });
    try {
      signal.throwIfAborted();
      return await examine(server.connectionString, report);
    } finally {
      signal.removeEventListener("abort", stop);
      await server.stop();
    }
  } finally {
    await removeTemporaryRestore(product, folder);
  }
}

/** Removes a temporary restore. Stops its server, which still runs if the process was killed. */
export async function removeTemporaryRestore(product: Product, folder: string): Promise<void> {
  const dataDirectory = path.join(await realpath(folder), dataFolder);
  const directory = path.join(dataDirectory, clusterFolder);
  const postmaster = await findPostmaster(directory);
  if (postmaster !== undefined) {
    const logFile = path.join(dataDirectory, serverLogFile);
    const binaries = await prepareBinaries(product);
    await stopPostmaster({ directory, logFile, binaries }, postmaster.pid, () => undefined);
  }
  await rm(folder, { recursive: true, force: true });
}

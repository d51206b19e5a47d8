import { execFile } from "node:child_process";
import { mkdtemp, readdir, realpath, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { prepareBinaries } from "../binaries.js";
import { prepareDataDirectory } from "../cluster.js";
import { clusterFolder, passwordFile, unfinishedRestorePrefix, syncFolder } from "../data-folder.js";
import { findPostmaster } from "../postmaster.js";
import type { Product } from "../product.js";
import { openArchive } from "./archive-reader.js";
import type { BackupKind } from "./contents.js";
import { InvalidBackup, currentFormatVersion, type Checksum, type Manifest } from "./manifest.js";
import { chooseOwners, unpack } from "./unpack.js";

export interface RestoreOptions {
  dataDirectory: string;
  file: string;
  signal: AbortSignal;
}

export type RestoreReport<Facts> = Manifest & Facts & Checksum & { dataDirectory: string };

/**
 * Makes a data folder out of a backup. It is unpacked beside the place where it is to be and moved there when it has
 * proved whole, so that a start finds all of it or nothing.
 */
export async function restore<Facts extends object>(
  kind: BackupKind<Facts>,
  options: RestoreOptions,
): Promise<RestoreReport<Facts>> {
  const { product } = kind;
  const file = path.resolve(options.file);
  const existed = await refuseOccupied(path.resolve(options.dataDirectory), product);
  const archive = await openArchive(file, product, options.signal);
  try {
    const manifest = archive.manifest as Manifest & Facts;
    await refuseUnfit(file, manifest, kind);
    const owners = await chooseOwners(options.dataDirectory, product);
    const dataDirectory = await prepareDataDirectory(options.dataDirectory, owners.cluster);
    const workshop = await mkdtemp(path.join(dataDirectory, unfinishedRestorePrefix));
    try {
      const checksum = await archive.takeEntries((entry) => unpack(entry, workshop, owners, kind));
      await moveIntoPlace(workshop, dataDirectory);
      return { ...manifest, ...checksum, dataDirectory };
    } finally {
      await rm(workshop, { recursive: true, force: true });
      // A folder that we made and that got nothing is not left behind; one that got something stays.
      if (!existed) await rmdir(dataDirectory).catch(() => {});
    }
  } finally {
    await archive.close();
  }
}

/** Returns whether the folder is there already, and empty. */
async function refuseOccupied(directory: string, { folderVariable }: Product): Promise<boolean> {
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
  // A file system of its own, such as a container's volume, may come with that one.
  if (entries.some((name) => name !== "lost+found"))
    throw new Error(
      `${directory} is not empty, and nothing in it is written over. Move it away ` +
        `(mv ${directory} ${directory}.old), or name another folder with ${folderVariable}.`,
    );
  return true;
}

async function refuseUnfit<Facts extends object>(
  file: string,
  manifest: Manifest & Facts,
  kind: BackupKind<Facts>,
): Promise<void> {
  const refuse = (problem: string): never => {
    throw new InvalidBackup(`${file} was made by ${kind.makerOf(manifest)}, ${problem}`);
  };
  if (manifest.formatVersion !== currentFormatVersion)
    refuse(
      `in version ${manifest.formatVersion} of the format, of which this release knows ${currentFormatVersion}.`,
    );
  const major = await bundledMajor(kind.product);
  if (manifest.postgresMajor !== major)
    refuse(
      `with PostgreSQL ${manifest.postgresMajor}; this release brings ${major}. Restore it with that release.`,
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
 * The cluster first and its password last: a start that comes between the two, after a power failure, finds a cluster
 * without its password and refuses, instead of making a new and empty one.
 */
async function moveIntoPlace(workshop: string, dataDirectory: string): Promise<void> {
  const names = await readdir(workshop);
  if (!names.includes(clusterFolder) || !names.includes(passwordFile))
    throw new InvalidBackup("The backup has no database in it.");
  const between = names.filter((name) => name !== clusterFolder && name !== passwordFile);
  for (const name of [clusterFolder, ...between, passwordFile]) {
    await rename(path.join(workshop, name), path.join(dataDirectory, name));
    await syncFolder(dataDirectory);
  }
}

import { execFile } from "node:child_process";
import { mkdtemp, readdir, realpath, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { prepareBinaries } from "../embedded/binaries.js";
import { prepareDataDirectory, UNFINISHED_RESTORE_PREFIX } from "../embedded/cluster.js";
import { findPostmaster } from "../embedded/postmaster.js";
import { isOlderRelease, thisRelease } from "../schema/release.js";
import { syncFolder } from "../sync-folder.js";
import { openArchive } from "./archive-reader.js";
import { CLUSTER_FOLDER, PASSWORD_FILE } from "./beside-the-cluster.js";
import { InvalidBackup } from "./invalid-backup.js";
import { FORMAT_VERSION, type Checksum, type Manifest } from "./manifest.js";
import { chooseOwners, unpack } from "./unpack.js";

export interface RestoreOptions {
  dataDirectory: string;
  file: string;
  signal: AbortSignal;
}

export type RestoreReport = Manifest & Checksum & { dataDirectory: string };

/**
 * Makes a data folder out of a backup. It is unpacked beside the place where it is to be and moved there when it has
 * proved whole, so that a start finds all of it or nothing.
 */
export async function restore(options: RestoreOptions): Promise<RestoreReport> {
  const file = path.resolve(options.file);
  const existed = await refuseOccupied(path.resolve(options.dataDirectory));
  const archive = await openArchive(file, options.signal);
  try {
    await refuseUnfit(file, archive.manifest);
    const owners = await chooseOwners(options.dataDirectory);
    const dataDirectory = await prepareDataDirectory(options.dataDirectory, owners.cluster);
    const workshop = await mkdtemp(path.join(dataDirectory, UNFINISHED_RESTORE_PREFIX));
    try {
      const checksum = await archive.takeEntries((entry) => unpack(entry, workshop, owners));
      await moveIntoPlace(workshop, dataDirectory);
      return { ...archive.manifest, ...checksum, dataDirectory };
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
async function refuseOccupied(directory: string): Promise<boolean> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (entries === undefined) return false;
  const postmaster = await findPostmaster(path.join(await realpath(directory), CLUSTER_FOLDER));
  if (postmaster !== undefined)
    throw new Error(
      `A service runs on ${directory} (its database server is process ${postmaster.pid}). ` +
        `Stop it, and move the folder away: mv ${directory} ${directory}.old`,
    );
  // A file system of its own, such as a container's volume, may come with that one.
  if (entries.some((name) => name !== "lost+found"))
    throw new Error(
      `${directory} is not empty, and nothing in it is written over. Move it away ` +
        `(mv ${directory} ${directory}.old), or name another folder with GATEHOUSE_DATA_DIR.`,
    );
  return true;
}

async function refuseUnfit(file: string, manifest: Manifest): Promise<void> {
  const refuse = (problem: string): never => {
    throw new InvalidBackup(`${file} was made by Gatehouse ${manifest.gatehouseVersion}, ${problem}`);
  };
  if (manifest.formatVersion !== FORMAT_VERSION)
    refuse(
      `in version ${manifest.formatVersion} of the format, of which this release knows ${FORMAT_VERSION}.`,
    );
  const major = await bundledMajor();
  if (manifest.postgresMajor !== major)
    refuse(
      `with PostgreSQL ${manifest.postgresMajor}; this release brings ${major}. Restore it with that release.`,
    );
  const { minimumRelease } = manifest;
  if (minimumRelease && isOlderRelease(thisRelease, minimumRelease))
    refuse(
      `and releases before ${minimumRelease} cannot work on its database; this is ${thisRelease}. Restore it with ${minimumRelease} or later.`,
    );
}

async function bundledMajor(): Promise<number> {
  const { postgres } = await prepareBinaries();
  const { stdout } = await promisify(execFile)(postgres, ["--version"]);
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
}

/**
 * The cluster first and its password last: a start that comes between the two, after a power failure, finds a cluster
 * without its password and refuses, instead of making a new and empty one.
 */
async function moveIntoPlace(workshop: string, dataDirectory: string): Promise<void> {
  const names = await readdir(workshop);
  if (!names.includes(CLUSTER_FOLDER) || !names.includes(PASSWORD_FILE))
    throw new InvalidBackup("The backup has no database in it.");
  const between = names.filter((name) => name !== CLUSTER_FOLDER && name !== PASSWORD_FILE);
  for (const name of [CLUSTER_FOLDER, ...between, PASSWORD_FILE]) {
    await rename(path.join(workshop, name), path.join(dataDirectory, name));
    await syncFolder(dataDirectory);
  }
}

import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { serverEnvironment, type Launcher } from "./launcher.js";
import { open } from "node:fs/promises";

/** What the server has in the data folder, beside what the product keeps there. */
export const clusterFolder = "postgres";
export const passwordFile = "postgres.password";
export const serverLogFile = "postgres.log";
/** A cluster that is being made. */
export const workshopPrefix = "postgres.new-";
/** The folder that a restore unpacks into, before all of it is moved into place. */
export const unfinishedRestorePrefix = "restore.new-";

const trialTimeoutMs = 5_000;
/** What flock(1) exits with when the lock is held by someone else; we choose it. */
export const lockHeldExitCode = 75;

/**
 * A launcher whose command holds a lock on the cluster as long as it or one of its processes lives; undefined when
 * someone else holds it.
 *
 * PostgreSQL guards its folder with a process number and a piece of shared memory, and neither means anything in another
 * container: two containers on one volume, as in a rolling update, would both start a server and destroy the data. A
 * file lock holds across containers. Node cannot take one, util-linux's flock can and hands it on to the server. Where
 * flock or the file system does not play along, PostgreSQL's own guard has to do.
 */
export async function lockingLauncher(
  launcher: Launcher,
  clusterDirectory: string,
): Promise<Launcher | undefined> {
  if (process.platform !== "linux") return launcher;
  const lock = [
    "--no-fork",
    "--nonblock",
    `--conflict-exit-code=${lockHeldExitCode}`,
    // Every cluster has this file, and nothing ever replaces it.
    path.join(clusterDirectory, "PG_VERSION"),
  ];
  const locking: Launcher = (command, commandArguments) =>
    launcher("flock", [...lock, command, ...commandArguments]);
  try {
    const { command, arguments: trialArguments, options } = locking("true", []);
    await promisify(execFile)(command, trialArguments, {
      ...options,
      cwd: "/",
      env: serverEnvironment(),
      timeout: trialTimeoutMs,
    });
    return locking;
  } catch (error) {
    return (error as { code?: number | string }).code === lockHeldExitCode ? undefined : launcher;
  }
}

/** Makes the names in a folder survive a power failure, as sync does for what is in a file. */
export async function syncFolder(directory: string): Promise<void> {
  // Windows cannot sync a folder and need not.
  if (process.platform === "win32") return;
  const folder = await open(directory, "r");
  await folder.sync().finally(() => folder.close());
}

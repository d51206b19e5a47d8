import { execFile } from "node:child_process";
import { chown, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { syncFolder, workshopPrefix } from "./data-folder.js";
import { isCluster, type Cluster } from "./cluster.js";
import { chooseLauncher, serverEnvironment, type Launch, type Launcher } from "./launcher.js";

/** It takes half a second on a laptop; this is for a slow network disk. */
const initializeTimeoutMs = 120_000;
/** The folder of an initialization that began this long ago belongs to a process that was killed. */
const abandonedAfterMs = 10 * 60_000;

/**
 * Builds the cluster in a folder of its own and moves it into place when it is complete and on disk. So a crash on the
 * way leaves no half cluster, and of two processes that start at once one comes first and the other uses its cluster.
 */
export async function initializeCluster(cluster: Omit<Cluster, "launcher">): Promise<Launcher> {
  const dataDirectory = path.dirname(cluster.directory);
  const workshop = await mkdtemp(path.join(dataDirectory, workshopPrefix));
  try {
    const passwordFile = path.join(workshop, "password");
    await writeFile(passwordFile, cluster.password, { mode: 0o600 });
    if (cluster.account !== undefined) {
      const { uid, gid } = cluster.account;
      for (const entry of [passwordFile, workshop]) await chown(entry, uid, gid);
    }
    const { initdb, postgres } = cluster.binaries;
    const launcher = await chooseLauncher(cluster.account, postgres, workshop, cluster.product);
    const draft = path.join(workshop, "cluster");
    await runToEnd(launcher(initdb, initdbArguments(draft, passwordFile, cluster.product.identifier)));
    // Single-user mode creates the database before anyone can connect, so a cluster in place always has it.
    const singleUser = launcher(postgres, ["--single", "-D", draft, "postgres"]);
    await runToEnd(singleUser, `create database ${cluster.product.identifier};\n`);
    await moveIntoPlace(draft, cluster.directory);
    return launcher;
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

function initdbArguments(directory: string, passwordFile: string, role: string): string[] {
  return [
    `--pgdata=${directory}`,
    `--username=${role}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // PostgreSQL's own C.UTF-8 sorts alike on every machine and release; the operating system's locales do not.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--no-instructions",
    // Without --no-sync the cluster is on disk when initdb ends. Measured, leaving that out saves nothing: 0.55 s both.
  ];
}

async function moveIntoPlace(draft: string, directory: string): Promise<void> {
  try {
    await rename(draft, directory);
  } catch (error) {
    // Another process was faster; its cluster has the same password, and ours is not needed.
    if (await isCluster(directory)) return;
    throw error;
  }
  // The move itself must be on disk before anything is acknowledged.
  await syncFolder(path.dirname(directory));
}

async function runToEnd(launch: Launch, input = ""): Promise<void> {
  const running = promisify(execFile)(launch.command, launch.arguments, {
    ...launch.options,
    cwd: "/",
    env: serverEnvironment(),
    timeout: initializeTimeoutMs,
  });
  // A program that ends without reading its input is reported by its exit code, not by the broken pipe.
  running.child.stdin?.on("error", () => {}).end(input);
  await running.catch((cause: Error & { stderr?: string }) => {
    throw new Error(`The database could not be made: ${cause.stderr?.trim() || cause.message}`, { cause });
  });
}

/** What processes that were killed while they built a cluster have left behind. */
export async function removeAbandonedWorkshops(dataDirectory: string): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    if (!name.startsWith(workshopPrefix)) continue;
    const workshop = path.join(dataDirectory, name);
    // One that disappears while we look belongs to a process that has just finished.
    const { mtimeMs } = await stat(workshop).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - abandonedAfterMs) await rm(workshop, { recursive: true, force: true });
  }
}

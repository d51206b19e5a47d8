import { execFile } from "node:child_process";
import { chown, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { syncFolder, initializationPrefix } from "./data-folder.js";
import { isCluster, type Cluster } from "./cluster.js";
import { chooseLauncher, serverEnvironment, type Launch, type Launcher } from "./launcher.js";

/** initdb takes half a second on a laptop. This is for a slow network disk. */
const initializeTimeoutMs = 120_000;
/** An older temporary folder belongs to a process that was killed. */
const abandonedAfterMs = 10 * 60_000;

/**
 * Creates the cluster in a temporary folder and moves it into place when it is complete and on disk. So a crash leaves no
 * partial cluster, and of two processes that start at once the second uses the cluster of the first.
 */
export async function initializeCluster(cluster: Omit<Cluster, "launcher">): Promise<Launcher> {
  const dataDirectory = path.dirname(cluster.directory);
  const temporaryFolder = await mkdtemp(path.join(dataDirectory, initializationPrefix));
  try {
    const passwordFile = path.join(temporaryFolder, "password");
    await writeFile(passwordFile, cluster.password, { mode: 0o600 });
    if (cluster.account !== undefined) {
      const { uid, gid } = cluster.account;
      for (const entry of [passwordFile, temporaryFolder]) await chown(entry, uid, gid);
    }
    const { initdb, postgres } = cluster.binaries;
    const launcher = await chooseLauncher(cluster.account, postgres, temporaryFolder, cluster.product);
    const draft = path.join(temporaryFolder, "cluster");
    await runToEnd(launcher(initdb, initdbArguments(draft, passwordFile, cluster.product.identifier)));
    // Single-user mode creates the database before the cluster is in place, so a cluster always has it.
    const singleUser = launcher(postgres, ["--single", "-D", draft, "postgres"]);
    await runToEnd(singleUser, `create database ${cluster.product.identifier};\n`);
    await moveIntoPlace(draft, cluster.directory);
    return launcher;
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

function initdbArguments(directory: string, passwordFile: string, role: string): string[] {
  return [
    `--pgdata=${directory}`,
    `--username=${role}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // PostgreSQL's own C.UTF-8 sorts equally on every machine and release. Locales of the operating system do not.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--no-instructions",
  ];
}

async function moveIntoPlace(draft: string, directory: string): Promise<void> {
  try {
    await rename(draft, directory);
  } catch (error) {
    // Another process was faster. Its cluster has the same password.
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
  // A program that ends without reading its input is reported by its exit code.
  running.child.stdin?.on("error", () => {}).end(input);
  await running.catch((cause: Error & { stderr?: string }) => {
    throw new Error(`The database could not be created: ${cause.stderr?.trim() || cause.message}`, { cause });
  });
}

/** Removes temporary folders of processes that were killed. */
export async function removeAbandonedInitializations(dataDirectory: string): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    if (!name.startsWith(initializationPrefix)) continue;
    const temporaryFolder = path.join(dataDirectory, name);
    // A folder that disappears meanwhile belongs to a process that has just finished.
    const { mtimeMs } = await stat(temporaryFolder).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - abandonedAfterMs) await rm(temporaryFolder, { recursive: true, force: true });
  }
}

import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { prepareBinaries, type Binaries } from "./binaries.js";
import {
  chooseLauncher,
  findServerAccount,
  type Launch,
  type Launcher,
  type ServerAccount,
} from "./server-account.js";

export const ROLE = "gatehouse";
export const DATABASE = "gatehouse";

const INITIALIZE_TIMEOUT_MS = 120_000;
/** A folder of an unfinished initialization this old belongs to a process that was killed. */
const ABANDONED_AFTER_MS = 10 * 60_000;
const UNFINISHED_PREFIX = "postgres.new-";

/** A cluster on disk and everything needed to run a server on it. */
export interface Cluster {
  directory: string;
  logFile: string;
  password: string;
  binaries: Binaries;
  account: ServerAccount | undefined;
  launcher: Launcher;
}

/** Makes the data folder, the password and the cluster unless they exist already; any number of processes may do so. */
export async function prepareCluster(requestedDirectory: string): Promise<Cluster> {
  const binaries = await prepareBinaries();
  const account = await findServerAccount(path.join(requestedDirectory, "postgres"));
  const dataDirectory = await prepareDataDirectory(requestedDirectory, account);
  const directory = path.join(dataDirectory, "postgres");
  const existed = await isCluster(directory);
  const password = await preparePassword(dataDirectory, existed);
  const base = { directory, logFile: path.join(dataDirectory, "postgres.log"), password, binaries, account };
  if (existed) return { ...base, launcher: await chooseLauncher(account, binaries.postgres, directory) };

  await removeAbandoned(dataDirectory);
  return { ...base, launcher: await initialize(base) };
}

async function prepareDataDirectory(directory: string, account: ServerAccount | undefined): Promise<string> {
  await mkdir(path.dirname(path.resolve(directory)), { recursive: true });
  try {
    await mkdir(directory, { mode: 0o700 });
    if (account !== undefined) {
      // The server's group may pass through this folder of ours (not list it), so it needs no capability to get in.
      await chown(directory, 0, account.gid);
      await chmod(directory, 0o710);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  // One folder has one name, whatever links lead to it: processes recognize their server by it.
  return realpath(directory);
}

async function isCluster(directory: string): Promise<boolean> {
  return stat(path.join(directory, "PG_VERSION")).then(
    () => true,
    () => false,
  );
}

/** The password is made before the cluster, and whoever makes it first wins, so that two first starts agree on it. */
async function preparePassword(dataDirectory: string, clusterExists: boolean): Promise<string> {
  const file = path.join(dataDirectory, "postgres.password");
  if (!(await fileExists(file))) {
    if (clusterExists)
      throw new Error(`${file} is missing, and without it nobody can sign in to the database beside it.`);
    const draft = `${file}.${randomBytes(6).toString("hex")}`;
    await writeFile(draft, randomBytes(32).toString("base64url") + "\n", { mode: 0o600, flush: true });
    try {
      await link(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      await rm(draft);
    }
  }
  return (await readFile(file, "utf8")).trim();
}

/** Builds the cluster in a folder of its own and moves it into place when it is complete and on disk. */
async function initialize(cluster: Omit<Cluster, "launcher">): Promise<Launcher> {
  const dataDirectory = path.dirname(cluster.directory);
  const workshop = await mkdtemp(path.join(dataDirectory, UNFINISHED_PREFIX));
  try {
    const passwordFile = path.join(workshop, "password");
    await writeFile(passwordFile, cluster.password, { mode: 0o600 });
    if (cluster.account !== undefined) {
      for (const entry of [passwordFile, workshop])
        await chown(entry, cluster.account.uid, cluster.account.gid);
    }
    const launcher = await chooseLauncher(cluster.account, cluster.binaries.postgres, workshop);
    const draft = path.join(workshop, "cluster");
    await runToEnd(launcher(cluster.binaries.initdb, initdbArguments(draft, passwordFile)));
    // Single-user mode creates the database before anyone can connect, so a cluster in place always has it.
    await runToEnd(
      launcher(cluster.binaries.postgres, ["--single", "-D", draft, "postgres"]),
      `create database ${DATABASE};\n`,
    );
    await moveIntoPlace(draft, cluster.directory);
    return launcher;
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

function initdbArguments(directory: string, passwordFile: string): string[] {
  return [
    `--pgdata=${directory}`,
    `--username=${ROLE}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // PostgreSQL's own C.UTF-8 sorts alike on every machine and release; the operating system's locales do not.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--no-instructions",
    // No --no-sync: measured, initdb takes 0.55 s either way.
  ];
}

async function moveIntoPlace(draft: string, directory: string): Promise<void> {
  try {
    await rename(draft, directory);
  } catch (error) {
    // Another process finished first; its cluster has the same password and ours is not needed.
    if (await isCluster(directory)) return;
    throw error;
  }
  // Windows cannot sync a folder and does not need to.
  if (process.platform === "win32") return;
  const folder = await open(path.dirname(directory), "r");
  await folder.sync().finally(() => folder.close());
}

async function runToEnd(
  { command, arguments: commandArguments, options }: Launch,
  input = "",
): Promise<void> {
  const running = promisify(execFile)(command, commandArguments, {
    ...options,
    cwd: "/",
    env: serverEnvironment(),
    timeout: INITIALIZE_TIMEOUT_MS,
  });
  running.child.stdin?.on("error", () => {}).end(input);
  await running.catch((cause: Error & { stderr?: string }) => {
    throw new Error(`The database could not be initialized: ${cause.stderr?.trim() || cause.message}`, {
      cause,
    });
  });
}

/** The server gets none of the service's secrets, and no PG* variable changes what it does. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = ["PATH", "LD_LIBRARY_PATH", "SystemRoot", "TEMP", "TMP"];
  const inherited = Object.fromEntries(
    kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  return { ...inherited, LC_ALL: "C", TZ: "UTC" };
}

async function removeAbandoned(dataDirectory: string): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    if (!name.startsWith(UNFINISHED_PREFIX)) continue;
    const folder = path.join(dataDirectory, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - ABANDONED_AFTER_MS) await rm(folder, { recursive: true, force: true });
  }
}

async function fileExists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

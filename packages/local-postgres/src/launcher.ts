import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { otherServer, type Product } from "./product.js";

/** For `postgres --version`, which reads about 20 MB from a cold disk. */
const probeTimeoutMs = 20_000;
const lockTimeoutMs = 5_000;
/** The exit code that flock(1) uses if the lock is held. */
export const lockHeldExitCode = 75;

/** A command that runs as the server's account. */
export interface Launch {
  command: string;
  arguments: string[];
  options: { uid?: number; gid?: number };
}
export type Launcher = (command: string, commandArguments: string[]) => Launch;

/**
 * Chooses how to run the server's programs by trying: they must start, load their libraries and enter `directory`.
 *
 * For root, the programs run as another user, who may not be allowed to enter the folders above the checkout or the data,
 * such as a private home folder. Instead of changing those folders, the server keeps one capability: to enter and read any
 * folder, or, where a container withholds that one, to override permissions.
 */
export async function chooseLauncher(
  account: ServerAccount | undefined,
  postgres: string,
  directory: string,
  product: Product,
): Promise<Launcher> {
  if (account === undefined) {
    await probe(asOurselves(postgres, ["--version"])).catch((cause: Error) => {
      throw launchError(
        product,
        `The bundled PostgreSQL does not run on this machine: ${describe(cause)}`,
        cause,
      );
    });
    return asOurselves;
  }
  const launchers = [
    asAccount(account),
    asAccountWithCapability(account, "dac_read_search"),
    asAccountWithCapability(account, "dac_override"),
  ];
  const failures: string[] = [];
  for (const launcher of launchers) {
    try {
      // The script gets both paths as arguments, so nothing in them is taken for shell syntax.
      await probe(launcher("/bin/sh", ["-c", '"$0" --version && cd "$1"', postgres, directory]));
      return launcher;
    } catch (error) {
      failures.push(describe(error as Error));
    }
  }
  throw launchError(
    product,
    `PostgreSQL refuses to run as root, and as ${account.name} it cannot reach both ${postgres} and ${directory} ` +
      `(${failures.join("; ")})`,
  );
}

function asOurselves(command: string, commandArguments: string[]): Launch {
  return { command, arguments: commandArguments, options: {} };
}

function asAccount({ uid, gid }: ServerAccount): Launcher {
  return (command, commandArguments) => ({ command, arguments: commandArguments, options: { uid, gid } });
}

/** Uses setpriv of util-linux to become the account and to drop all other capabilities. */
function asAccountWithCapability({ uid, gid }: ServerAccount, capability: string): Launcher {
  const onlyThatOne = `-all,+${capability}`;
  const setpriv = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    `--inh-caps=${onlyThatOne}`,
    `--ambient-caps=${onlyThatOne}`,
    `--bounding-set=${onlyThatOne}`,
    // PostgreSQL asks access(2) whether it may run its own program. That call ignores the capabilities of everyone but
    // root, unless this bit is set.
    "--securebits=+no_setuid_fixup",
    "--no-new-privs",
    "--",
  ];
  return (command, commandArguments) => ({
    command: "setpriv",
    arguments: [...setpriv, command, ...commandArguments],
    options: {},
  });
}

/** Without our secrets, and without PG* variables that would change what the server does. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = ["PATH", "LD_LIBRARY_PATH", "SystemRoot", "TEMP", "TMP"];
  const inherited = Object.entries(process.env).filter(([name]) => kept.includes(name));
  return { ...Object.fromEntries(inherited), LC_ALL: "C", TZ: "UTC" };
}

async function probe({ command, arguments: commandArguments, options }: Launch): Promise<void> {
  await promisify(execFile)(command, commandArguments, {
    ...options,
    cwd: "/",
    env: serverEnvironment(),
    timeout: probeTimeoutMs,
  });
}

function describe(error: Error & { stderr?: string }): string {
  return (error.stderr?.trim() || error.message).replaceAll("\n", " ");
}

function launchError(product: Product, problem: string, cause?: Error): Error {
  const advice = `Run ${product.name} as an ordinary user who owns its folders, or ${otherServer(product)}.`;
  return new Error(`${problem}. ${advice}`, { cause });
}

/**
 * Returns a launcher whose command holds a file lock on the cluster while it or a child process lives. Undefined: another
 * process holds the lock.
 *
 * PostgreSQL protects its folder with a process number and shared memory, which do not work across containers. Two containers
 * on one volume, as in a rolling update, would both start a server and destroy the data. A file lock works across containers.
 * Node cannot take one, but flock of util-linux can, and it passes the lock on to the server. Without flock, or on a file
 * system without locks, only PostgreSQL's own protection applies.
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
    // Every cluster has this file, and nothing replaces it.
    path.join(clusterDirectory, "PG_VERSION"),
  ];
  const locking: Launcher = (command, commandArguments) =>
    launcher("flock", [...lock, command, ...commandArguments]);
  try {
    const { command, arguments: probeArguments, options } = locking("true", []);
    await promisify(execFile)(command, probeArguments, {
      ...options,
      cwd: "/",
      env: serverEnvironment(),
      timeout: lockTimeoutMs,
    });
    return locking;
  } catch (error) {
    return (error as { code?: number | string }).code === lockHeldExitCode ? undefined : launcher;
  }
}

/** The account that runs the server if we are root, because PostgreSQL refuses to run as root. */
export interface ServerAccount {
  name: string;
  uid: number;
  gid: number;
}

/** Undefined: we are not root, and the server runs as the same user. */
export async function findServerAccount(
  clusterDirectory: string,
  product: Product,
): Promise<ServerAccount | undefined> {
  if (process.geteuid?.() !== 0) return undefined;
  // The server must own its folder, so the owner of an existing cluster runs it.
  const owner = await stat(clusterDirectory).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) {
    return { name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  }
  const accounts = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const wanted of ["postgres", "nobody"]) {
    const [name, , uid, gid] = accounts.find(([name]) => name === wanted) ?? [];
    if (name !== undefined && Number(uid) !== 0) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and neither the user "postgres" nor the user "nobody" exists. ' +
      `Run ${product.name} as an ordinary user, or ${otherServer(product)}.`,
  );
}

import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";

/** How long the trial run of `postgres --version` may take; a cold disk reads some 20 MB for it. */
const TRIAL_TIMEOUT_MS = 20_000;

/** The operating system's account that runs the server when we are root: PostgreSQL refuses to run as root. */
export interface ServerAccount {
  name: string;
  uid: number;
  gid: number;
}

/** A command, rewritten so that it runs as the server's account. */
export interface Launch {
  command: string;
  arguments: string[];
  options: { uid?: number; gid?: number };
}
export type Launcher = (command: string, commandArguments: string[]) => Launch;

/** Undefined: the server runs as the user who runs us, which is the normal case. */
export async function findServerAccount(clusterDirectory: string): Promise<ServerAccount | undefined> {
  if (process.geteuid?.() !== 0) return undefined;
  // A cluster that an ordinary user made stays that user's: the server must own its folder.
  const owner = await stat(clusterDirectory).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0)
    return { name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid };

  const accounts = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const wanted of ["postgres", "nobody"]) {
    const [name, , uid, gid] = accounts.find(([name]) => name === wanted) ?? [];
    if (name !== undefined && Number(uid) !== 0) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    "PostgreSQL refuses to run as root, and neither the user postgres nor nobody exists to run it. " +
      "Run Gatehouse as an ordinary user, or set DATABASE_URL to a PostgreSQL server.",
  );
}

/**
 * Chooses how to run the server's programs, by trying: they must start, load their libraries and enter `directory`.
 *
 * As root the programs run as another user, who may have no way into the folders above the checkout or the data (a home
 * folder is private). Those folders are not ours to open up. Instead the server then keeps a single capability, the
 * weakest that does: to enter and read any folder, or where the container withholds that one, to override permissions.
 */
export async function chooseLauncher(
  account: ServerAccount | undefined,
  postgres: string,
  directory: string,
): Promise<Launcher> {
  if (account === undefined) {
    await run(asOurselves(postgres, ["--version"])).catch((cause: Error) => {
      throw launchError(`The bundled PostgreSQL does not run on this machine: ${describe(cause)}`, cause);
    });
    return asOurselves;
  }
  const failures: string[] = [];
  for (const launcher of [
    asAccount(account),
    withCapability(account, "dac_read_search"),
    withCapability(account, "dac_override"),
  ]) {
    try {
      // The script gets both paths as arguments, so nothing in them is taken for shell syntax.
      await run(launcher("/bin/sh", ["-c", '"$0" --version && cd "$1"', postgres, directory]));
      // Only initdb and postgres themselves tell whether they find their own folder.
      return launcher;
    } catch (error) {
      failures.push(describe(error as Error));
    }
  }
  throw launchError(
    `PostgreSQL refuses to run as root, and as ${account.name} it cannot reach ${postgres} and ${directory}: ` +
      failures.join("; "),
  );
}

function asOurselves(command: string, commandArguments: string[]): Launch {
  return { command, arguments: commandArguments, options: {} };
}

function asAccount({ uid, gid }: ServerAccount): Launcher {
  return (command, commandArguments) => ({ command, arguments: commandArguments, options: { uid, gid } });
}

/** Drops root for the account and every capability but one, by util-linux's setpriv, which is replaced by the command. */
function withCapability({ uid, gid }: ServerAccount, capability: string): Launcher {
  const only = `-all,+${capability}`;
  const setpriv = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    `--inh-caps=${only}`,
    `--ambient-caps=${only}`,
    `--bounding-set=${only}`,
    // PostgreSQL asks access(2) whether it can run its own program. That call ignores the capabilities of anyone but
    // root, unless this bit is set.
    "--securebits=+no_setuid_fixup",
    "--no-new-privs",
  ];
  return (command, commandArguments) => ({
    command: "setpriv",
    arguments: [...setpriv, "--", command, ...commandArguments],
    options: {},
  });
}

async function run({ command, arguments: commandArguments, options }: Launch): Promise<void> {
  await promisify(execFile)(command, commandArguments, { ...options, cwd: "/", timeout: TRIAL_TIMEOUT_MS });
}

function describe(error: Error & { stderr?: string }): string {
  return (error.stderr?.trim() || error.message).replaceAll("\n", " ");
}

function launchError(problem: string, cause?: Error): Error {
  const advice =
    "Run Gatehouse as an ordinary user who owns its folders, or set DATABASE_URL to a PostgreSQL server.";
  return new Error(`${problem}. ${advice}`, { cause });
}

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { otherServer, type Product, type ServerAccount } from "./product.js";

/** How long the trial run of `postgres --version` may take; a cold disk reads some 20 MB for it. */
const trialTimeoutMs = 20_000;

/** A command, rewritten so that it runs as the server's account. */
export interface Launch {
  command: string;
  arguments: string[];
  options: { uid?: number; gid?: number };
}
export type Launcher = (command: string, commandArguments: string[]) => Launch;

/**
 * Chooses how to run the server's programs, by trying: they must start, load their libraries and enter `directory`.
 *
 * As root the programs run as another user, who may have no way into the folders above the checkout or the data (a
 * home folder is private). Those folders are not ours to open up. Instead the server then keeps one capability, the
 * weakest that does: to enter and read any folder, or, where a container withholds that one, to override permissions.
 */
export async function chooseLauncher(
  account: ServerAccount | undefined,
  postgres: string,
  directory: string,
  product: Product,
): Promise<Launcher> {
  if (account === undefined) {
    await trial(asOurselves(postgres, ["--version"])).catch((cause: Error) => {
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
      await trial(launcher("/bin/sh", ["-c", '"$0" --version && cd "$1"', postgres, directory]));
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

/** Becomes the account and drops every capability but one, by util-linux's setpriv, which the command then replaces. */
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

/** The server gets none of our secrets, and no PG* variable changes what it does. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = ["PATH", "LD_LIBRARY_PATH", "SystemRoot", "TEMP", "TMP"];
  const inherited = Object.entries(process.env).filter(([name]) => kept.includes(name));
  return { ...Object.fromEntries(inherited), LC_ALL: "C", TZ: "UTC" };
}

async function trial({ command, arguments: commandArguments, options }: Launch): Promise<void> {
  await promisify(execFile)(command, commandArguments, {
    ...options,
    cwd: "/",
    env: serverEnvironment(),
    timeout: trialTimeoutMs,
  });
}

function describe(error: Error & { stderr?: string }): string {
  return (error.stderr?.trim() || error.message).replaceAll("\n", " ");
}

function launchError(product: Product, problem: string, cause?: Error): Error {
  const advice = `Run ${product.name} as an ordinary user who owns its folders, or ${otherServer(product)}.`;
  return new Error(`${problem}. ${advice}`, { cause });
}

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Cluster } from "./cluster.js";
import { pollUntil } from "./poll.js";

/** A fast shutdown ends sessions at once and writes a checkpoint, which takes seconds after a heavy import. */
const FAST_SHUTDOWN_TIMEOUT_MS = 60_000;
/** An immediate shutdown only ends processes; the next start recovers from the log. */
const IMMEDIATE_SHUTDOWN_TIMEOUT_MS = 10_000;
const LIST_PROCESS_TIMEOUT_MS = 5_000;

/** A live server process on a cluster, as its postmaster.pid tells. */
export interface Postmaster {
  pid: number;
  port: number;
  status: "starting" | "ready" | "stopping";
}

export type Finding = { postmaster: Postmaster } | { postmaster: undefined; stalePid: number | undefined };

/** Looks for a live server on the cluster. A postmaster.pid alone proves nothing: it outlives a crash. */
export async function findPostmaster(clusterDirectory: string): Promise<Finding> {
  const recorded = await readPostmasterFile(clusterDirectory);
  if (recorded === undefined) return { postmaster: undefined, stalePid: undefined };
  if (await serves(recorded.pid, clusterDirectory)) return { postmaster: recorded };
  return { postmaster: undefined, stalePid: recorded.pid };
}

/** The file's lines: process, folder, start time, port, socket folder, address, shared memory, status. */
async function readPostmasterFile(clusterDirectory: string): Promise<Postmaster | undefined> {
  const text = await readFile(path.join(clusterDirectory, "postmaster.pid"), "utf8").catch(ignoreMissing);
  const [pidLine, , , portLine, , , , statusLine] = (text ?? "").split("\n");
  const pid = Number(pidLine);
  // The server writes the file line by line. Before it says anything else it is starting.
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const status = statusLine?.trim();
  return {
    pid,
    port: Number(portLine),
    status: status === "ready" || status === "stopping" ? status : "starting",
  };
}

/** The port the cluster was last served on: other processes' pools still point there when its server has crashed. */
export async function lastPort(clusterDirectory: string): Promise<number | undefined> {
  const options = await readFile(path.join(clusterDirectory, "postmaster.opts"), "utf8").catch(ignoreMissing);
  const port = Number(options?.match(/"-p" "(\d+)"/)?.[1]);
  return Number.isInteger(port) ? port : undefined;
}

/** Whether the process is a live PostgreSQL on this folder and not another program that got a dead one's number. */
async function serves(pid: number, clusterDirectory: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await commandLine(pid);
  return command.includes("postgres") && command.includes(clusterDirectory);
}

/** A process that has ended but was not yet collected by its parent has no command line, which is what we want. */
async function commandLine(pid: number): Promise<string> {
  if (process.platform === "linux") return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  const [command, commandArguments] =
    process.platform === "win32"
      ? [
          "powershell",
          ["-NoProfile", "-Command", `(Get-CimInstance Win32_Process -Filter ProcessId=${pid}).CommandLine`],
        ]
      : ["ps", ["-ww", "-o", "command=", "-p", String(pid)]];
  const listed = promisify(execFile)(command as string, commandArguments as string[], {
    timeout: LIST_PROCESS_TIMEOUT_MS,
  });
  return listed.then(
    ({ stdout }) => stdout,
    () => "",
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process is alive, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Stops the server and waits for its end: fast, and if that takes too long, immediately. */
export async function stopPostmaster(
  cluster: Cluster,
  pid: number,
  log: (message: string) => void,
): Promise<void> {
  const ended = async () => !(await serves(pid, cluster.directory));
  await signal(cluster, pid, "INT");
  if (await pollUntil(ended, FAST_SHUTDOWN_TIMEOUT_MS)) return;
  log(
    `PostgreSQL did not shut down within ${FAST_SHUTDOWN_TIMEOUT_MS / 1000} s; ending it without a checkpoint.`,
  );
  await signal(cluster, pid, "QUIT");
  if (await pollUntil(ended, IMMEDIATE_SHUTDOWN_TIMEOUT_MS)) return;
  throw new Error(`PostgreSQL (process ${pid}) does not end. Its log is ${cluster.logFile}.`);
}

async function signal(cluster: Cluster, pid: number, name: "INT" | "QUIT"): Promise<void> {
  if (process.platform === "win32") {
    // Windows has no signals: Node would kill the process outright, pg_ctl speaks to it through a named pipe.
    await promisify(execFile)(cluster.binaries.pgCtl, ["kill", name, String(pid)]);
    return;
  }
  try {
    process.kill(pid, `SIG${name}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Cluster } from "./cluster.js";
import { setTimeout as sleep } from "node:timers/promises";

/** A fast shutdown ends all sessions and writes a checkpoint, which takes seconds after a large import. */
const fastShutdownTimeoutMs = 60_000;
/** An immediate shutdown only ends the processes. The next start recovers from the log. */
const immediateShutdownTimeoutMs = 10_000;
const listProcessTimeoutMs = 5_000;
const maxEmulatorWords = 2;

/** A running server process of a cluster, as postmaster.pid describes it. */
export interface Postmaster {
  pid: number;
  port: number;
  status: "starting" | "ready" | "stopping";
}

/** Finds the running server of a cluster. The file alone is not enough, because it remains after a crash. */
export async function findPostmaster(clusterDirectory: string): Promise<Postmaster | undefined> {
  const recorded = await readPostmasterFile(clusterDirectory);
  if (recorded === undefined || !(await isServing(recorded.pid, clusterDirectory))) return undefined;
  return recorded;
}

/** The process number in postmaster.pid if that process has ended or is another program. */
export async function findStalePid(clusterDirectory: string): Promise<number | undefined> {
  const recorded = await readPostmasterFile(clusterDirectory);
  if (recorded === undefined || (await isServing(recorded.pid, clusterDirectory))) return undefined;
  return recorded.pid;
}

/** Lines of postmaster.pid: process, folder, start, port, socket, address, memory, status. */
async function readPostmasterFile(clusterDirectory: string): Promise<Postmaster | undefined> {
  const text = await readFile(path.join(clusterDirectory, "postmaster.pid"), "utf8").catch(ignoreMissing);
  const [pidLine, , , portLine, , , , statusLine] = (text ?? "").split("\n");
  const pid = Number(pidLine);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const status = statusLine?.trim();
  // The server writes the status last. Until then it is starting.
  return {
    pid,
    port: Number(portLine),
    status: status === "ready" || status === "stopping" ? status : "starting",
  };
}

/** The port of the last server. After a crash, connection pools of other processes still use it. */
export async function readLastPort(clusterDirectory: string): Promise<number | undefined> {
  const commandLine = await readFile(path.join(clusterDirectory, "postmaster.opts"), "utf8").catch(
    ignoreMissing,
  );
  const port = commandLine?.match(/"-p" "(\d+)"/)?.[1];
  return port === undefined ? undefined : Number(port);
}

/** Whether the process is a PostgreSQL on this folder, and not another program with a reused process number. */
async function isServing(pid: number, clusterDirectory: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === "linux") {
    // Readable by everyone, unlike the working directory. Empty for a zombie process.
    const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    const words = commandLine.split("\0");
    // With an emulated processor, the emulator is the first word.
    const programAt = words.findIndex((word) => path.basename(word) === "postgres");
    return programAt !== -1 && programAt <= maxEmulatorWords && words.includes(clusterDirectory);
  }
  const commandLine = await listCommandLine(pid);
  return commandLine.includes("postgres") && commandLine.includes(clusterDirectory);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user is alive.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function listCommandLine(pid: number): Promise<string> {
  const query = `(Get-CimInstance Win32_Process -Filter ProcessId=${pid}).CommandLine`;
  const listing =
    process.platform === "win32"
      ? { command: "powershell", arguments: ["-NoProfile", "-Command", query] }
      : { command: "ps", arguments: ["-ww", "-o", "command=", "-p", String(pid)] };
  return promisify(execFile)(listing.command, listing.arguments, { timeout: listProcessTimeoutMs }).then(
    ({ stdout }) => stdout,
    () => "",
  );
}

type Stoppable = Pick<Cluster, "directory" | "logFile" | "binaries">;

/** Stops the server and waits: first a fast shutdown, then an immediate one. */
export async function stopPostmaster(
  cluster: Stoppable,
  pid: number,
  log: (message: string) => void,
): Promise<void> {
  const hasEnded = async () => !(await isServing(pid, cluster.directory));
  await signal(cluster, pid, "INT");
  if (await pollUntil(hasEnded, fastShutdownTimeoutMs)) return;
  log(
    `PostgreSQL did not shut down in ${fastShutdownTimeoutMs / 1000} s and is stopped without a checkpoint.`,
  );
  await signal(cluster, pid, "QUIT");
  if (await pollUntil(hasEnded, immediateShutdownTimeoutMs)) return;
  throw new Error(`PostgreSQL (process ${pid}) does not stop. Its log is ${cluster.logFile}.`);
}

async function signal(cluster: Stoppable, pid: number, name: "INT" | "QUIT"): Promise<void> {
  if (process.platform === "win32") {
    // Windows has no signals: Node would kill the process outright, while pg_ctl tells the server through a pipe.
    await promisify(execFile)(cluster.binaries.pgCtl, ["kill", name, String(pid)]);
    return;
  }
  try {
    process.kill(pid, `SIG${name}`);
  } catch (error) {
    // It has already ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

const pollIntervalMs = 15;

/** Polls until the condition is true. Returns false after the timeout. Throws when the signal aborts. */
export async function pollUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() >= deadline) return false;
    await sleep(pollIntervalMs, undefined, { ...(signal && { signal }) });
  }
  return true;
}

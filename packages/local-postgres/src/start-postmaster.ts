import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.js";
import { findFreePort, settingArguments } from "./settings.js";
import { lockHeldExitCode, lockingLauncher, serverEnvironment, type Launcher } from "./launcher.js";
import { pollUntil, findPostmaster, findStalePid, readLastPort, type Postmaster } from "./postmaster.js";
import { rotateServerLog, openServerLog, readServerLogTail, serverLogSize } from "./server-log.js";

/** After a crash the server replays up to max_wal_size first. Generous for a slow disk. */
const readyTimeoutMs = 180_000;
/** How long to retry while the port or the folder is taken. */
const conflictTimeoutMs = 30_000;
const retryIntervalMs = 100;

export interface StartOptions {
  settings?: Record<string, string> | undefined;
  /** The port of existing connection pools. Without it, the last port is preferred and any other is accepted. */
  requiredPort?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A failure of a start that is retried. */
type Conflict =
  | "its port is taken"
  | "another server, perhaps in another container, has its folder"
  | "it was killed";

/** Returns the ready server of the cluster, and starts it if it does not run. */
export async function ensurePostmaster(cluster: Cluster, options: StartOptions = {}): Promise<Postmaster> {
  const deadline = performance.now() + conflictTimeoutMs;
  let preferredPort = options.requiredPort ?? (await readLastPort(cluster.directory));
  for (;;) {
    const running = await awaitSettled(cluster, options.signal);
    if (running !== undefined) return running;
    const started = await start(cluster, preferredPort ?? (await findFreePort()), options);
    if (typeof started !== "string") return started;
    if (performance.now() >= deadline) throw await startError(cluster, `cannot start: ${started}`);
    if (started === "its port is taken") preferredPort = options.requiredPort;
    await sleep(retryIntervalMs, undefined, { ...(options.signal && { signal: options.signal }) });
  }
}

/** Waits while a server is starting or stopping. Returns a ready one, or undefined if none runs. */
export async function awaitSettled(cluster: Cluster, signal?: AbortSignal): Promise<Postmaster | undefined> {
  let postmaster: Postmaster | undefined;
  const isSettled = async () => {
    postmaster = await findPostmaster(cluster.directory);
    return postmaster === undefined || postmaster.status === "ready";
  };
  if (await pollUntil(isSettled, readyTimeoutMs, signal)) return postmaster;
  throw await startError(cluster, `was still ${postmaster?.status} after ${readyTimeoutMs / 1000} s`);
}

/** Spawns a server and waits until it is ready. Returns a conflict that can be retried, and throws anything else. */
async function start(cluster: Cluster, port: number, options: StartOptions): Promise<Postmaster | Conflict> {
  const launcher = await lockingLauncher(cluster.launcher, cluster.directory);
  if (launcher === undefined) return "another server, perhaps in another container, has its folder";
  await rotateServerLog(cluster.logFile);
  const logStart = await serverLogSize(cluster.logFile);
  const child = await spawnPostmaster(cluster, launcher, [
    "-p",
    String(port),
    ...settingArguments(options.settings),
  ]);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  let postmaster: Postmaster | undefined;
  const isSettled = async () => {
    postmaster = await findPostmaster(cluster.directory);
    return hasEnded() || (postmaster?.pid === child.pid && postmaster?.status === "ready");
  };
  const settled = await pollUntil(isSettled, readyTimeoutMs, options.signal).catch((aborted: Error) => {
    child.kill("SIGINT");
    throw aborted;
  });
  if (!settled) throw await startError(cluster, `was not ready after ${readyTimeoutMs / 1000} s`);
  if (!hasEnded() && postmaster !== undefined) return postmaster;

  if (child.signalCode === "SIGKILL") return "it was killed";
  const reason = await readServerLogTail(cluster.logFile, logStart);
  if (/could not bind|could not create any TCP/.test(reason)) return "its port is taken";
  if (
    child.exitCode === lockHeldExitCode ||
    reason.includes("shared memory block") ||
    reason.split("\n").some((line) => line.includes("lock file") && line.includes("already exists"))
  ) {
    return "another server, perhaps in another container, has its folder";
  }
  throw await startError(cluster, `ended with ${child.signalCode ?? `code ${child.exitCode}`}`, logStart);
}

async function spawnPostmaster(
  cluster: Cluster,
  launcher: Launcher,
  options: string[],
): Promise<ChildProcess> {
  const launch = launcher(cluster.binaries.postgres, ["-D", cluster.directory, ...options]);
  const stalePid = await findStalePid(cluster.directory);
  const logFile = await openServerLog(cluster.logFile);
  try {
    // The account of the server must be able to write the log without us.
    if (cluster.account !== undefined) await logFile.chown(cluster.account.uid, cluster.account.gid);
    const child = spawn(launch.command, launch.arguments, {
      ...launch.options,
      // In its own session, so that Ctrl-C in the terminal does not end the server before the service has drained.
      detached: true,
      windowsHide: true,
      cwd: "/",
      stdio: ["ignore", logFile.fd, logFile.fd],
      env: {
        ...serverEnvironment(),
        // PostgreSQL does not start while the process in postmaster.pid lives. Here that process is not a server but
        // another program with a reused process number, which happens in containers. pg_ctl uses this variable to name
        // a process to ignore.
        ...(stalePid !== undefined && { PG_GRANDPARENT_PID: String(stalePid) }),
      },
    });
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    child.unref();
    return child;
  } finally {
    await logFile.close();
  }
}

async function startError(cluster: Cluster, problem: string, fromByte = 0): Promise<Error> {
  const tail = await readServerLogTail(cluster.logFile, fromByte);
  return new Error(
    `The embedded PostgreSQL ${problem}. The end of ${cluster.logFile}:\n${tail || "(empty)"}`,
  );
}

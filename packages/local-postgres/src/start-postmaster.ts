import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.js";
import { lockHeldExitCode, lockingLauncher } from "./data-folder.js";
import { findFreePort, settingArguments } from "./settings.js";
import { serverEnvironment, type Launcher } from "./launcher.js";
import { pollUntil, findPostmaster, findStalePid, readLastPort, type Postmaster } from "./postmaster.js";
import { boundServerLog, openServerLog, readServerLogTail, serverLogSize } from "./server-log.js";

/** A server that recovers from a crash first replays up to max_wal_size; this is generous for a slow disk. */
const readyTimeoutMs = 180_000;
/** How long to try against a port that is taken, another server on the folder, or the remains of a crashed one. */
const conflictTimeoutMs = 30_000;
const retryIntervalMs = 100;

export interface StartOptions {
  settings?: Record<string, string> | undefined;
  /** The port that it must be because pools point there; otherwise the last one is preferred and any other will do. */
  requiredPort?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Why a start failed and is worth another try. */
type Conflict =
  | "its port is taken"
  | "another server, perhaps in another container, has its folder"
  | "it was killed";

/** Returns the cluster's ready server: the one that runs already, or a new one. */
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

/** Waits out a server that is starting or stopping: the result is a ready one, or undefined when none is left. */
export async function awaitSettled(cluster: Cluster, signal?: AbortSignal): Promise<Postmaster | undefined> {
  let postmaster: Postmaster | undefined;
  const isSettled = async () => {
    postmaster = await findPostmaster(cluster.directory);
    return postmaster === undefined || postmaster.status === "ready";
  };
  if (await pollUntil(isSettled, readyTimeoutMs, signal)) return postmaster;
  throw await startError(cluster, `was still ${postmaster?.status} after ${readyTimeoutMs / 1000} s`);
}

/** Spawns a server and waits until it is ready; a conflict is worth another try, everything else throws. */
async function start(cluster: Cluster, port: number, options: StartOptions): Promise<Postmaster | Conflict> {
  const launcher = await lockingLauncher(cluster.launcher, cluster.directory);
  if (launcher === undefined) return "another server, perhaps in another container, has its folder";
  await boundServerLog(cluster.logFile);
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
    // Nobody waits for this server any more.
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
    // Whoever owns the server must be able to go on with its log without us.
    if (cluster.account !== undefined) await logFile.chown(cluster.account.uid, cluster.account.gid);
    const child = spawn(launch.command, launch.arguments, {
      ...launch.options,
      // A session of its own: a Ctrl-C in the terminal must not end the server before the service has drained.
      detached: true,
      windowsHide: true,
      cwd: "/",
      stdio: ["ignore", logFile.fd, logFile.fd],
      env: {
        ...serverEnvironment(),
        // PostgreSQL does not start as long as the process named in postmaster.pid lives. We have found that process to
        // be no server but something that got a dead one's number, as happens in containers. This is how pg_ctl names
        // a process to disregard; PostgreSQL's other checks stay.
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

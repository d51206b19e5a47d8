import { spawn, type ChildProcess } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { serverEnvironment, type Cluster } from "./cluster.js";
import { pollUntil } from "./poll.js";
import { findPostmaster, lastPort, type Postmaster } from "./postmaster.js";
import { openServerLog, readServerLogTail, serverLogSize } from "./server-log.js";
import { LISTEN_ADDRESS, settingArguments } from "./settings.js";

/** A server that recovers from a crash replays up to max_wal_size first; this is generous for a slow disk. */
const READY_TIMEOUT_MS = 180_000;
/** How often a start is tried when a port was taken in between or another process was just starting or stopping. */
const START_ATTEMPTS = 20;
const RETRY_INTERVAL_MS = 100;

export interface StartOptions {
  settings?: Record<string, string> | undefined;
  /** The port that must be used because pools point at it already; otherwise the last one if it is free. */
  requiredPort?: number | undefined;
}

/** Returns the cluster's ready server: the one that runs already, or a new one. */
export async function ensurePostmaster(cluster: Cluster, options: StartOptions = {}): Promise<Postmaster> {
  let preferredPort = options.requiredPort ?? (await lastPort(cluster.directory));
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt++) {
    const running = await awaitSettled(cluster);
    if (running !== undefined) return running;
    const port = preferredPort ?? (await findFreePort());
    const problem = await start(cluster, port, options.settings);
    if (problem === undefined) continue;
    if (problem === "port taken" && options.requiredPort === undefined) preferredPort = undefined;
    else await pollUntil(async () => false, RETRY_INTERVAL_MS);
  }
  throw await startError(cluster, `did not start in ${START_ATTEMPTS} attempts`);
}

/** Waits out a server that is starting or stopping: the result is a ready one, or undefined when none is left. */
async function awaitSettled(cluster: Cluster): Promise<Postmaster | undefined> {
  let postmaster: Postmaster | undefined;
  const settled = await pollUntil(async () => {
    ({ postmaster } = await findPostmaster(cluster.directory));
    return postmaster === undefined || postmaster.status === "ready";
  }, READY_TIMEOUT_MS);
  if (!settled)
    throw await startError(cluster, `was still ${postmaster?.status} after ${READY_TIMEOUT_MS / 1000} s`);
  return postmaster;
}

/** Spawns a server and waits until it is ready, or says why it could not and that trying again makes sense. */
async function start(
  cluster: Cluster,
  port: number,
  settings: Record<string, string> | undefined,
): Promise<"port taken" | "another server" | undefined> {
  const logStart = await serverLogSize(cluster.logFile);
  const child = await spawnPostmaster(cluster, port, settings);
  const settled = await pollUntil(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return true;
    const { postmaster } = await findPostmaster(cluster.directory);
    return postmaster?.pid === child.pid && postmaster?.status === "ready";
  }, READY_TIMEOUT_MS);
  if (!settled) throw await startError(cluster, `was not ready after ${READY_TIMEOUT_MS / 1000} s`);
  if (child.exitCode === null && child.signalCode === null) return undefined;

  const reason = await readServerLogTail(cluster.logFile, logStart);
  if (/could not bind|could not create any TCP/.test(reason)) return "port taken";
  // The lock file of another process's server, or the last processes of a crashed one that are still ending.
  if (/lock file .* already exists|is another postmaster|shared memory block/.test(reason))
    return "another server";
  throw await startError(cluster, `ended with ${child.signalCode ?? `code ${child.exitCode}`}`, logStart);
}

async function spawnPostmaster(
  cluster: Cluster,
  port: number,
  settings?: Record<string, string>,
): Promise<ChildProcess> {
  const launch = cluster.launcher(cluster.binaries.postgres, [
    "-D",
    cluster.directory,
    "-p",
    String(port),
    ...settingArguments(settings),
  ]);
  const finding = await findPostmaster(cluster.directory);
  const stalePid = finding.postmaster === undefined ? finding.stalePid : undefined;
  const logFile = await openServerLog(cluster.logFile);
  try {
    // Whoever runs the server must be able to go on with its log.
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
        // PostgreSQL does not start while the process named in postmaster.pid lives. We know that process to be something
        // else that got the number of a dead server, as happens in containers; this is how pg_ctl says so.
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

async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) =>
    probe.once("error", reject).listen(0, LISTEN_ADDRESS, resolve),
  );
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function startError(cluster: Cluster, problem: string, fromByte = 0): Promise<Error> {
  const tail = await readServerLogTail(cluster.logFile, fromByte);
  return new Error(
    `The embedded PostgreSQL ${problem}. The end of ${cluster.logFile}:\n${tail || "(empty)"}`,
  );
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.js";
import { findPostmaster, stopPostmaster } from "./postmaster.js";
import { awaitSettled, ensurePostmaster, type StartOptions } from "./start-postmaster.js";
import { foreignServer, openUsage, type Usage } from "./usage.js";

/** How long to go on while servers come and go, e.g. one that another process is just stopping. */
const attachTimeoutMs = 240_000;
const attachRetryIntervalMs = 50;

/** Makes sure of a ready server and marks it as used; starts over when it goes down in between. */
export async function attach(
  cluster: Cluster,
  options: StartOptions,
): Promise<{ usage: Usage; port: number }> {
  const deadline = performance.now() + attachTimeoutMs;
  for (;;) {
    const { port } = await ensurePostmaster(cluster, options);
    if (options.requiredPort !== undefined && port !== options.requiredPort) {
      throw new Error(`another process has started it on port ${port}, as ${options.requiredPort} was taken`);
    }
    try {
      return { usage: await openUsage(cluster, port), port };
    } catch (error) {
      if (performance.now() >= deadline || !isPassing(error as NodeJS.ErrnoException)) throw error;
      await sleep(attachRetryIntervalMs, undefined, { ...(options.signal && { signal: options.signal }) });
    }
  }
}

/** Connections break while a server starts or stops, and that passes; an answer that says no (28: password) does not. */
function isPassing({ code = "" }: NodeJS.ErrnoException): boolean {
  if (code === foreignServer) return false;
  const isAnswer = /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("E");
  const saysNotNow = code.startsWith("57P") || code.startsWith("08") || code === "53300";
  return !isAnswer || saysNotNow;
}

/** Gives up our use of the server, and stops it if nobody else uses it. */
export async function detach(
  cluster: Cluster,
  held: Usage | undefined,
  log: (message: string) => void,
): Promise<void> {
  if (held !== undefined && (await settle(cluster, held, log))) return;
  // Our connection is gone, as after a crash of the server; a new one tells whether we are the last.
  const postmaster = await awaitSettled(cluster);
  if (postmaster === undefined) return;
  const reopened = await openUsage(cluster, postmaster.port).catch(() => undefined);
  if (reopened !== undefined && (await settle(cluster, reopened, log))) return;
  log(
    `PostgreSQL (process ${postmaster.pid}) takes no connections and is left running; the next start joins it.`,
  );
}

/** Returns false when the connection was of no use any more. */
async function settle(cluster: Cluster, usage: Usage, log: (message: string) => void): Promise<boolean> {
  try {
    const alone = await usage.giveUp().catch(() => undefined);
    if (alone === undefined) return false;
    // Holding the lock alone until the server is down keeps newcomers from settling in on a server that is leaving.
    const postmaster = alone ? await findPostmaster(cluster.directory) : undefined;
    if (postmaster !== undefined) await stopPostmaster(cluster, postmaster.pid, log);
    return true;
  } finally {
    await usage.close();
  }
}

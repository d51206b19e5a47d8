import { setTimeout as sleep } from "node:timers/promises";
import { prepareCluster, type Cluster } from "./cluster.js";
import { findPostmaster, stopPostmaster } from "./postmaster.js";
import { boundServerLog } from "./server-log.js";
import { ensurePostmaster, type StartOptions } from "./start-postmaster.js";
import { connectionString, openUsage, type Usage } from "./usage.js";

/** How long a start goes on while servers come and go under it, e.g. one that another process is just stopping. */
const ATTACH_TIMEOUT_MS = 240_000;
const ATTACH_RETRY_INTERVAL_MS = 50;
const HEAL_ATTEMPTS = 10;
const HEAL_FIRST_DELAY_MS = 50;
const HEAL_LONGEST_DELAY_MS = 15_000;
/** A server that ran this long is healthy again: the next crash gets all attempts anew. */
const HEALTHY_AFTER_MS = 60_000;
const LOG_CHECK_INTERVAL_MS = 60_000;

export interface EmbeddedServer {
  connectionString: string;
  /** Gives up this process's use of the server, and shuts it down unless another process uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDirectory: string;
  log?: (message: string) => void;
  /** Settings of postgres that differ from ours, e.g. fsync=off in tests. */
  settings?: Record<string, string>;
}

/** Starts the PostgreSQL server under the data folder, or joins the one that another process has started there. */
export async function startEmbeddedServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const log = options.log ?? (() => {});
  const cluster = await prepareCluster(options.dataDirectory);
  const { usage, port } = await attach(cluster, { settings: options.settings });
  const supervision = supervise(cluster, usage, { settings: options.settings, requiredPort: port }, log);
  let stopped: Promise<void> | undefined;
  return {
    connectionString: connectionString(cluster, port),
    stop: () => (stopped ??= supervision.end().then((usage) => release(cluster, usage, log))),
  };
}

/** Makes sure of a ready server and marks it as used; starts over when it goes down in between. */
async function attach(cluster: Cluster, options: StartOptions): Promise<{ usage: Usage; port: number }> {
  const deadline = Date.now() + ATTACH_TIMEOUT_MS;
  for (;;) {
    const { port } = await ensurePostmaster(cluster, options);
    if (options.requiredPort !== undefined && port !== options.requiredPort) {
      throw new Error(
        `It came back on port ${port} because port ${options.requiredPort} was taken. Restart the service.`,
      );
    }
    try {
      return { usage: await openUsage(cluster, port), port };
    } catch (error) {
      if (Date.now() >= deadline || !isPassing(error as NodeJS.ErrnoException)) throw error;
      await sleep(ATTACH_RETRY_INTERVAL_MS);
    }
  }
}

/** Errors of a server that starts or stops pass; a wrong password (class 28) or a foreign server does not. */
function isPassing({ code, message }: NodeJS.ErrnoException): boolean {
  if (code === undefined) return /terminated|timeout/i.test(message);
  return code.startsWith("57P") || code.startsWith("08") || code === "53300" || code.startsWith("E");
}

/** Brings the server up again when it dies, on the same port, so that the pools that point there heal by themselves. */
function supervise(cluster: Cluster, first: Usage, options: StartOptions, log: (message: string) => void) {
  const ending = new AbortController();
  const logTimer = setInterval(
    () => void boundServerLog(cluster.logFile).catch(() => {}),
    LOG_CHECK_INTERVAL_MS,
  ).unref();
  const asked = new Promise<void>((resolve) => ending.signal.addEventListener("abort", () => resolve()));

  const watch = async (): Promise<Usage | undefined> => {
    let usage = first;
    let attempt = 0;
    for (;;) {
      const since = Date.now();
      const reason = await Promise.race([usage.lost, asked]);
      if (ending.signal.aborted) return usage;
      if (Date.now() - since > HEALTHY_AFTER_MS) attempt = 0;
      log(
        `The connection to the embedded PostgreSQL was lost (${reason?.message ?? "closed"}); bringing it back.`,
      );
      for (;;) {
        if (++attempt > HEAL_ATTEMPTS) {
          log(
            `The embedded PostgreSQL failed ${HEAL_ATTEMPTS} times in a row and is given up; see ${cluster.logFile}.`,
          );
          return undefined;
        }
        const delayMs = Math.min(HEAL_FIRST_DELAY_MS * 2 ** (attempt - 1), HEAL_LONGEST_DELAY_MS);
        await sleep(delayMs, undefined, { signal: ending.signal }).catch(() => {});
        if (ending.signal.aborted) return undefined;
        try {
          ({ usage } = await attach(cluster, options));
          log("The embedded PostgreSQL is back.");
          break;
        } catch (error) {
          log(`Attempt ${attempt} to bring the embedded PostgreSQL back failed: ${(error as Error).message}`);
        }
      }
    }
  };
  const watched = watch();
  return {
    end: async (): Promise<Usage | undefined> => {
      clearInterval(logTimer);
      ending.abort();
      return watched;
    },
  };
}

/** Gives up our use of the server and stops it if nobody else uses it. */
async function release(
  cluster: Cluster,
  held: Usage | undefined,
  log: (message: string) => void,
): Promise<void> {
  const { postmaster } = await findPostmaster(cluster.directory);
  if (postmaster === undefined) return held?.close();
  const usage = held ?? (await openUsage(cluster, postmaster.port).catch(() => undefined));
  try {
    // A server that takes no connection may serve others all the same: it is left alone, and the next start joins it.
    const alone = await usage?.giveUp().catch(() => false);
    if (alone === true) await stopPostmaster(cluster, postmaster.pid, log);
  } finally {
    await usage?.close();
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { attach, detach } from "./attach.js";
import { prepareCluster, type Cluster } from "./cluster.js";
import { boundServerLog } from "./server-log.js";
import type { StartOptions } from "./start-postmaster.js";
import { connectionString, type Usage } from "./usage.js";

const HEAL_ATTEMPTS = 12;
const HEAL_FIRST_DELAY_MS = 50;
const HEAL_LONGEST_DELAY_MS = 15_000;
/** A server that has run this long is healthy again: the next crash gets all attempts anew. */
const HEALTHY_AFTER_MS = 60_000;
const LOG_CHECK_INTERVAL_MS = 60_000;

export interface EmbeddedServer {
  connectionString: string;
  /** Whether it has failed too often, so that nobody tries to bring it back any more. */
  isGivenUp(): boolean;
  /** Gives up this process's use of the server, and shuts it down unless another process uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDirectory: string;
  log?: (message: string) => void;
  /** Settings of postgres that differ from ours, e.g. fsync=off in tests. A server that runs already keeps its own. */
  settings?: Record<string, string>;
  /** How often a server that fails again and again is brought back before it is given up. */
  healAttempts?: number;
}

/** Starts the PostgreSQL server under the data folder, or joins the one that another process has started there. */
export async function startEmbeddedServer(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const log = options.log ?? (() => {});
  const cluster = await prepareCluster({ dataDirectory: options.dataDirectory, log });
  const { usage, port } = await attach(cluster, { settings: options.settings });
  // The bounded log of a server that runs for months is this process's business, too.
  const logTimer = setInterval(
    () => void boundServerLog(cluster.logFile).catch(() => {}),
    LOG_CHECK_INTERVAL_MS,
  );
  logTimer.unref();
  const supervision = supervise(
    cluster,
    usage,
    { settings: options.settings, requiredPort: port, healAttempts: options.healAttempts ?? HEAL_ATTEMPTS },
    log,
  );
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    clearInterval(logTimer);
    await detach(cluster, await supervision.end(), log);
  };
  return {
    connectionString: connectionString(cluster, port),
    isGivenUp: supervision.isGivenUp,
    stop: () => (stopped ??= stop()),
  };
}

/**
 * Brings the server up again when it dies, on the same port, so that the pools that point there heal by themselves.
 * The loss of our own connection is the sign; the server may also have come back by itself or by another process.
 */
function supervise(
  cluster: Cluster,
  first: Usage,
  { healAttempts, ...options }: StartOptions & { healAttempts: number },
  log: (message: string) => void,
) {
  let isGivenUp = false;
  const ending = new AbortController();
  const { signal } = ending;
  const askedToEnd = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

  const watch = async (): Promise<Usage | undefined> => {
    let usage: Usage | undefined = first;
    let attempt = 0;
    while (usage !== undefined) {
      const startedAt = Date.now();
      const reason = await Promise.race([usage.lost, askedToEnd]);
      if (signal.aborted) return usage;
      log(`The embedded PostgreSQL was lost (${reason?.message ?? "connection closed"}); bringing it back.`);
      if (Date.now() - startedAt > HEALTHY_AFTER_MS) attempt = 0;
      usage = undefined;
      while (usage === undefined && attempt < healAttempts && !signal.aborted) {
        usage = await heal(cluster, { ...options, signal }, attempt++, log);
      }
    }
    isGivenUp = !signal.aborted;
    if (isGivenUp)
      log(`The embedded PostgreSQL failed ${attempt} times and is given up: ${cluster.logFile}.`);
    return undefined;
  };
  const watched = watch();
  const end = (): Promise<Usage | undefined> => {
    ending.abort();
    return watched;
  };
  return { end, isGivenUp: () => isGivenUp };
}

async function heal(
  cluster: Cluster,
  options: StartOptions & { signal: AbortSignal },
  failures: number,
  log: (message: string) => void,
): Promise<Usage | undefined> {
  try {
    const delayMs = Math.min(HEAL_FIRST_DELAY_MS * 2 ** failures, HEAL_LONGEST_DELAY_MS);
    await sleep(delayMs, undefined, { signal: options.signal });
    const { usage } = await attach(cluster, options);
    log("The embedded PostgreSQL is back.");
    return usage;
  } catch (error) {
    if (!options.signal.aborted) log(`The embedded PostgreSQL is not back yet: ${(error as Error).message}`);
    return undefined;
  }
}

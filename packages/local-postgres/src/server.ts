import { setTimeout as sleep } from "node:timers/promises";
import { prepareCluster, type Cluster } from "./cluster.js";
import type { Product } from "./product.js";
import { rotateServerLog } from "./server-log.js";
import type { StartOptions } from "./start-postmaster.js";
import { attach, connectionString, detach, type Usage } from "./usage.js";

const logCheckIntervalMs = 60_000;

export interface LocalServer {
  connectionString: string;
  /** Failed restarts in a row. 0 while the server runs. */
  failedRestarts(): number;
  /** Stops the server unless another process uses it. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  product: Product;
  dataDirectory: string;
  /** Whether to create a database if the data folder has none. Otherwise the start fails and leaves no files. */
  mayCreate?: boolean | undefined;
  log?: (message: string) => void;
  /** Called when the server is lost and when a restart fails. */
  warn?: (message: string) => void;
  /** Settings of PostgreSQL that override ours. A server that is already running keeps its own. */
  settings?: Record<string, string>;
  /** Waits between two restarts. */
  pause?: SupervisionOptions["pause"];
  /** False: do not restart a server that dies. For short tasks, and for low-priority processes, whose priority it would get. */
  isSupervised?: boolean;
  /** Aborts the start. */
  signal?: AbortSignal | undefined;
}

/** Starts the PostgreSQL server of the data folder, or uses the one that another process has started. */
export async function startServer(options: ServerOptions): Promise<LocalServer> {
  const {
    product,
    dataDirectory,
    mayCreate = false,
    settings,
    pause,
    log = () => {},
    warn = log,
    isSupervised = true,
  } = options;
  const cluster = await prepareCluster({ product, dataDirectory, mayCreate, log });
  const { usage, port } = await attach(cluster, { settings, signal: options.signal });
  // PostgreSQL does not limit its log while it runs.
  const logTimer = setInterval(
    () => void rotateServerLog(cluster.logFile).catch(() => {}),
    logCheckIntervalMs,
  );
  logTimer.unref();
  const supervision = isSupervised
    ? supervise(cluster, usage, { settings, requiredPort: port, pause, log, warn })
    : { end: async () => usage, failedRestarts: () => 0 };
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    clearInterval(logTimer);
    await detach(cluster, await supervision.end(), log);
  };
  return {
    connectionString: connectionString(cluster, port),
    failedRestarts: supervision.failedRestarts,
    stop: () => (stopped ??= stop()),
  };
}

const firstDelayMs = 50;
export const longestDelayMs = 15_000;
/** After a crash of a server that has run this long, the first restart follows without a longer delay. */
const healthyAfterMs = 60_000;

interface SupervisionOptions extends StartOptions {
  log: (message: string) => void;
  warn: (message: string) => void;
  /** Waits between two restarts. */
  pause?: ((delayMs: number, signal: AbortSignal) => Promise<unknown>) | undefined;
}

/**
 * Restarts the server when it dies, on the same port, so that connection pools recover. The loss of the usage connection is
 * the signal; another process may have restarted the server already. It retries without limit, because the cause, such as a
 * full disk, may be fixed at any time.
 */
function supervise(cluster: Cluster, first: Usage, options: SupervisionOptions) {
  const ending = new AbortController();
  const { signal } = ending;
  const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  let failedRestarts = 0;

  const watch = async (): Promise<Usage | undefined> => {
    let usage: Usage | undefined = first;
    let attempts = 0;
    while (usage !== undefined) {
      const startedAt = performance.now();
      const reason = await Promise.race([usage.lost, ended]);
      if (signal.aborted) return usage;
      options.warn(
        `The embedded PostgreSQL was lost (${reason?.message ?? "connection closed"}). Restarting it.`,
      );
      if (performance.now() - startedAt > healthyAfterMs) attempts = 0;
      do {
        usage = await restart(cluster, { ...options, signal }, attempts++);
        failedRestarts = usage === undefined ? failedRestarts + 1 : 0;
      } while (usage === undefined && !signal.aborted);
    }
    return undefined;
  };
  const watched = watch();
  const end = (): Promise<Usage | undefined> => {
    ending.abort();
    return watched;
  };
  return { end, failedRestarts: () => failedRestarts };
}

async function restart(
  cluster: Cluster,
  { log, warn, pause = defaultPause, ...options }: SupervisionOptions & { signal: AbortSignal },
  attempts: number,
): Promise<Usage | undefined> {
  try {
    await pause(Math.min(firstDelayMs * 2 ** attempts, longestDelayMs), options.signal);
    const { usage } = await attach(cluster, options);
    log("The embedded PostgreSQL was restarted.");
    return usage;
  } catch (error) {
    if (!options.signal.aborted)
      warn(`The embedded PostgreSQL could not be restarted and is retried: ${(error as Error).message}`);
    return undefined;
  }
}

function defaultPause(delayMs: number, signal: AbortSignal): Promise<void> {
  return sleep(delayMs, undefined, { signal });
}

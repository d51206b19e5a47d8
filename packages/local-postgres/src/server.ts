import { attach, detach } from "./attach.js";
import { prepareCluster } from "./cluster.js";
import type { Product } from "./product.js";
import { boundServerLog } from "./server-log.js";
import { supervise, type SupervisionOptions } from "./supervise.js";
import { connectionString } from "./usage.js";

const logCheckIntervalMs = 60_000;

export interface LocalServer {
  connectionString: string;
  /** How many attempts in a row to bring back a server that was lost have failed; 0 while it runs. */
  failedRestarts(): number;
  /** Gives up this process's use of the server, and shuts it down unless another process uses it. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  product: Product;
  dataDirectory: string;
  /** True: a data folder without a database gets a new one. Otherwise the start fails there and leaves nothing behind. */
  mayCreate?: boolean | undefined;
  log?: (message: string) => void;
  /** Gets to know when the server is lost, and every attempt to bring it back that failed. */
  warn?: (message: string) => void;
  /** Settings of postgres, which win over ours. A server that runs already keeps its own. */
  settings?: Record<string, string>;
  /** Waits between two attempts to bring the server back. */
  pause?: SupervisionOptions["pause"];
  /** False: a server that dies is not brought back, for what is over soon or runs at a low priority, which it would keep. */
  isSupervised?: boolean;
  /** Gives up the start. */
  signal?: AbortSignal | undefined;
}

/** Starts the PostgreSQL server under the data folder, or joins the one that another process has started there. */
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
  // The bounded log of a server that runs for months is this process's business, too.
  const logTimer = setInterval(
    () => void boundServerLog(cluster.logFile).catch(() => {}),
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

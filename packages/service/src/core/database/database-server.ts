import type { Config } from "../config.js";
import {
  startServer,
  type LocalServer,
  type Product,
  type ServerOptions,
} from "@gatehouse-parking/local-postgres";
import { totalmem } from "node:os";

/** The server that holds the data: the operator's by DATABASE_URL, or our own in the data folder. */
export interface DatabaseServer {
  connectionString: string;
  isEmbedded: boolean;
  /** How many attempts in a row to bring the embedded one back have failed; 0 while it runs. */
  failedRestarts(): number;
  /** Ends our use of it. The embedded one is shut down unless another process uses it too. */
  stop(): Promise<void>;
}

export async function useDatabaseServer(
  config: Pick<Config, "databaseUrl" | "dataDirectory">,
  options: Pick<EmbeddedOptions, "mayCreate" | "log" | "warn"> = {},
): Promise<DatabaseServer> {
  if (config.databaseUrl !== undefined)
    return {
      connectionString: config.databaseUrl,
      isEmbedded: false,
      failedRestarts: () => 0,
      stop: async () => {},
    };
  const server = await startEmbeddedServer({ dataDirectory: config.dataDirectory, ...options });
  return { ...server, isEmbedded: true };
}

/** What the messages of the embedded server call us and our settings. */
export const gatehouse: Product = {
  name: "Gatehouse",
  identifier: "gatehouse",
  folderVariable: "GATEHOUSE_DATA_DIR",
  serverVariable: "DATABASE_URL",
  createCommand: "gatehouse migrate",
};

export type EmbeddedOptions = Omit<ServerOptions, "product">;

/** Starts the PostgreSQL server under the data folder, or joins the one that another process has started there. */
export function startEmbeddedServer(options: EmbeddedOptions): Promise<LocalServer> {
  return startServer({
    ...options,
    product: gatehouse,
    settings: { ...embeddedSettings, ...options.settings },
  });
}

const megabyte = 1024 * 1024;
const fewestBuffers = 128;
const mostBuffers = 1024;

/** `allowed`: what a container may use of the machine's memory; nothing, 0 or more than there is where it is no container. */
export function sharedBuffersMegabytes(memory: number, allowed: number | undefined): number {
  const usable = allowed ? Math.min(memory, allowed) : memory;
  return Math.min(mostBuffers, Math.max(fewestBuffers, Math.floor(usable / megabyte / 16)));
}

/**
 * The embedded server's settings that fit this service, for anything from a laptop to a small server. What makes the
 * server safe, local-postgres sets by itself.
 */
export const embeddedSettings: Readonly<Record<string, string>> = {
  // The service's pools need a few dozen connections; operator commands and a psql session come on top.
  max_connections: "100",
  // A sixteenth of the memory: the pages of the indexes that are in use fit, and a laptop does not notice, because they
  // are taken as they are touched.
  shared_buffers: `${sharedBuffersMegabytes(totalmem(), process.constrainedMemory())}MB`,
  // Sorting and hashing a batch of some thousand records stays in memory even with all connections busy.
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  // Checkpoints are spread thin: after each one every touched page is written to the log in full again, which is what
  // makes bulk imports slow. The price is a longer recovery after a crash, seconds for 2 GB.
  max_wal_size: "2GB",
  min_wal_size: "128MB",
  checkpoint_timeout: "15min",
  // This build knows neither lz4 nor zstd. With pglz, imports took 15 to 35 % longer for a log 8 % smaller.
  wal_compression: "off",

  // Statements are short and many: compiling them costs more than it saves.
  jit: "off",
  // Solid-state disks read at random almost as fast as in sequence; the default of 4 stems from spinning ones.
  random_page_cost: "1.1",
  // Dead rows and stale statistics are looked after without anyone asking.
  autovacuum: "on",
  // Bulk imports grow tables by whole batches: look three times as often as the default minute.
  autovacuum_naptime: "20s",
};

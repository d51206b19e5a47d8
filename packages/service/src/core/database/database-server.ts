import type { Config } from "../config.js";
import {
  startServer,
  type LocalServer,
  type Product,
  type ServerOptions,
} from "@gatehouse-parking/local-postgres";
import { totalmem } from "node:os";

/** The database server: the operator's, from DATABASE_URL, or the embedded one in the data folder. */
export interface DatabaseServer {
  connectionString: string;
  isEmbedded: boolean;
  /** Consecutive failed attempts to restart the embedded server; 0 while it runs. */
  failedRestarts(): number;
  /** Stops using the server. The embedded one is shut down unless another process uses it too. */
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

/** The names of Gatehouse and its settings in messages of the embedded server. */
export const gatehouse: Product = {
  name: "Gatehouse",
  identifier: "gatehouse",
  folderVariable: "GATEHOUSE_DATA_DIR",
  serverVariable: "DATABASE_URL",
  createCommand: "gatehouse migrate",
};

export type EmbeddedOptions = Omit<ServerOptions, "product">;

/** Starts the PostgreSQL server in the data folder, or joins one that another process has started there. */
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

/** `allowed`: the memory limit of a container. Ignored if absent, 0 or larger than the machine's memory. */
export function sharedBuffersMegabytes(memory: number, allowed: number | undefined): number {
  const usable = allowed ? Math.min(memory, allowed) : memory;
  return Math.min(mostBuffers, Math.max(fewestBuffers, Math.floor(usable / megabyte / 16)));
}

/**
 * Settings of the embedded server, for anything from a laptop to a small server. local-postgres sets everything that
 * durability and security need.
 */
export const embeddedSettings: Readonly<Record<string, string>> = {
  // The service's pools need a few dozen connections, plus operator commands and a psql session.
  max_connections: "100",
  // A sixteenth of the memory. Index pages in use fit into it, and a laptop does not notice, because pages are
  // allocated when first used.
  shared_buffers: `${sharedBuffersMegabytes(totalmem(), process.constrainedMemory())}MB`,
  // Sorting and hashing a batch of a few thousand records stays in memory, even with all connections busy.
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  // Checkpoints are infrequent. After each one, every changed page is written to the log in full again, which slows
  // down bulk imports. The price is a longer recovery after a crash: seconds for 2 GB.
  max_wal_size: "2GB",
  min_wal_size: "128MB",
  checkpoint_timeout: "15min",
  // This build supports neither lz4 nor zstd. With pglz, imports took 15 to 35% longer for a log 8% smaller.
  wal_compression: "off",

  // Statements are short and frequent, so compiling them costs more than it saves.
  jit: "off",
  // Solid-state disks read at random almost as fast as in sequence. The default of 4 is for hard disks.
  random_page_cost: "1.1",
  // Vacuum and statistics run automatically.
  autovacuum: "on",
  // Bulk imports grow tables quickly, so autovacuum checks three times as often as by default.
  autovacuum_naptime: "20s",
};

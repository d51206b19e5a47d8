import { totalmem } from "node:os";

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

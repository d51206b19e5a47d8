import { totalmem } from "node:os";

/** Where the server listens and nobody else reaches it: the loopback address over TCP. */
export const LISTEN_ADDRESS = "127.0.0.1";
/** The service's role, which owns everything, and its database. */
export const ROLE = "gatehouse";
export const DATABASE = "gatehouse";

const megabyte = 1024 * 1024;
const fewestBuffers = 128;
const mostBuffers = 1024;

/** `allowed`: what a container may use of the machine's memory; nothing, 0 or more than there is where it is no container. */
export function sharedBuffersMegabytes(memory: number, allowed: number | undefined): number {
  const usable = allowed ? Math.min(memory, allowed) : memory;
  return Math.min(mostBuffers, Math.max(fewestBuffers, Math.floor(usable / megabyte / 16)));
}

/**
 * The settings of the embedded server, for anything from a laptop to a small server. They are given on the command line
 * at every start, so a newer release brings its settings along and nobody has to merge a postgresql.conf.
 */
const DEFAULT_SETTINGS: Record<string, string> = {
  // Only this machine may connect. A Unix socket would fail in deep folders (its path holds about 100 characters).
  listen_addresses: LISTEN_ADDRESS,
  unix_socket_directories: "",
  password_encryption: "scram-sha-256",

  // What the service has acknowledged survives a crash and a power failure. These are PostgreSQL's own defaults, stated
  // here because a postgresql.conf edited by hand must not be able to weaken them unnoticed.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",

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

  // Times are stored and shown in UTC whatever the machine is set to.
  timezone: "UTC",
  log_timezone: "UTC",
  // A client that vanished without a word (a laptop's sleep, a killed container) frees its connection in minutes.
  tcp_keepalives_idle: "60",
  tcp_keepalives_interval: "10",
  tcp_keepalives_count: "6",
  // The connection that tells others "I use this server" is idle by design and must never be closed for it.
  idle_session_timeout: "0",

  // The log goes to the file that the starting process hands over, without a collector process of its own.
  logging_collector: "off",
  log_line_prefix: "%m [%p] ",
  log_checkpoints: "off",
  // Records hold personal data. Terse entries leave out the details with column values, and no statement is logged.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

/** The `-c name=value` arguments: our settings, then the caller's, which win because the last one counts. */
export function settingArguments(overrides: Record<string, string> = {}): string[] {
  return Object.entries({ ...DEFAULT_SETTINGS, ...overrides }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
}

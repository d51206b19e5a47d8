import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Where the server listens and nobody else reaches it: the loopback address over TCP. */
export const listenAddress = "127.0.0.1";

/**
 * What keeps the server and its data safe. These settings are given on the command line at every start, so a newer
 * release brings its settings along and nobody has to merge a postgresql.conf.
 */
const ownSettings: Readonly<Record<string, string>> = {
  // Only this machine may connect. A Unix socket would fail in deep folders (its path holds about 100 characters).
  listen_addresses: listenAddress,
  unix_socket_directories: "",
  password_encryption: "scram-sha-256",

  // What was committed survives a crash and a power failure. These are PostgreSQL's own defaults, stated
  // here because a postgresql.conf edited by hand must not be able to weaken them unnoticed.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",

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
  // Rows may hold personal data. Terse entries leave out the details with column values, and no statement is logged.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

/** The `-c name=value` arguments: our settings, then the caller's, which win because the last one counts. */
export function settingArguments(settings: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries({ ...ownSettings, ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
}

/**
 * Below the ports that operating systems give to outgoing connections. A pool that keeps reconnecting to a crashed
 * server's port would sooner or later be given that very port, connect to itself and keep the server from coming back.
 */
const firstPort = 20_000;
const lastPort = 29_999;
const probeAttempts = 100;

export async function findFreePort(): Promise<number> {
  for (let attempt = 1; attempt <= probeAttempts; attempt++) {
    const port = randomInt(firstPort, lastPort + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${firstPort} and ${lastPort} found for the embedded PostgreSQL.`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(port, listenAddress, () => probe.close(() => resolve(true)));
  });
}

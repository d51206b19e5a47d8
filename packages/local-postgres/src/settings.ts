import { randomInt } from "node:crypto";
import { createServer } from "node:net";

export const listenAddress = "127.0.0.1";

/** Given on the command line at every start, so that a newer release can change them without editing postgresql.conf. */
const ownSettings: Readonly<Record<string, string>> = {
  // Only this machine may connect. A Unix socket would fail in deep folders (its path holds about 100 characters).
  listen_addresses: listenAddress,
  unix_socket_directories: "",
  password_encryption: "scram-sha-256",

  // Commits survive a crash and a power failure. These are the defaults of PostgreSQL, repeated here so that an edited
  // postgresql.conf cannot weaken them.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",

  timezone: "UTC",
  log_timezone: "UTC",
  // Frees the connection of a client that disappeared (a sleeping laptop, a killed container) within minutes.
  tcp_keepalives_idle: "60",
  tcp_keepalives_interval: "10",
  tcp_keepalives_count: "6",
  // The usage connection is always idle and must not be closed for it.
  idle_session_timeout: "0",

  // The server writes its log to the file that the starting process opens.
  logging_collector: "off",
  log_line_prefix: "%m [%p] ",
  log_checkpoints: "off",
  // Rows may hold personal data. Terse entries omit details with column values, and no statement is logged.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

/** The `-c name=value` arguments. Settings of the caller override ours. */
export function settingArguments(settings: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries({ ...ownSettings, ...settings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
}

/**
 * Below the ports for outgoing connections. A pool that reconnects to a crashed server could otherwise get the server's port
 * for itself, connect to itself and block the restart.
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

import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { listenAddress } from "./settings.js";

/**
 * Below the ports that operating systems give to outgoing connections. A pool that keeps reconnecting to a crashed
 * server's port would sooner or later be given that very port, connect to itself and keep the server from coming back.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;
const PROBE_ATTEMPTS = 100;

export async function findFreePort(): Promise<number> {
  for (let attempt = 1; attempt <= PROBE_ATTEMPTS; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${FIRST_PORT} and ${LAST_PORT} found for the embedded PostgreSQL.`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(port, listenAddress, () => probe.close(() => resolve(true)));
  });
}

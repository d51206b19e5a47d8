import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { listenAddress } from "./settings.js";

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

import type { Server } from "node:http";
import { BlockList, isIPv6, type Socket } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import { limitAddress } from "./client-address.js";

/** The log says no more often than this that connections were refused. */
const tellAgainMs = 60_000;

export interface AddressConnections {
  /** At most so many connections of one address at the same time. 0: as many as there are. */
  perAddress: number;
  /** Everybody comes through these, so they are not counted. */
  trustedProxies: readonly string[];
  log: FastifyBaseLogger;
}

/** Keeps one address from taking all connections of the server. What is too much is closed before a byte is read. */
export function limitConnections(
  server: Server,
  { perAddress, trustedProxies, log }: AddressConnections,
): void {
  if (perAddress === 0) return;
  const open = new Map<string, number>();
  const isTrusted = matcherOf(trustedProxies);
  let toldAtMs = Number.NEGATIVE_INFINITY;

  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress;
    // A connection that was closed before it could be looked at has none.
    if (address === undefined || isTrusted(address)) return;
    const name = limitAddress(address);
    const others = open.get(name) ?? 0;
    if (others >= perAddress) {
      socket.destroy();
      tell(name);
      return;
    }
    open.set(name, others + 1);
    socket.once("close", () => {
      const left = (open.get(name) ?? 1) - 1;
      if (left > 0) open.set(name, left);
      else open.delete(name);
    });
  });

  function tell(address: string): void {
    if (performance.now() - toldAtMs < tellAgainMs) return;
    toldAtMs = performance.now();
    log.warn({ address, perAddress }, "an address has too many connections; further ones are refused");
  }
}

function matcherOf(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => list.check(address.split("%")[0] as string, isIPv6(address) ? "ipv6" : "ipv4");
}

import { isIP, isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";

/**
 * Who is calling: the socket's address, or the rightmost hop of X-Forwarded-For that is no trusted proxy. Some
 * proxies write the port behind it, which must not make every connection a caller of its own. What is no address at
 * all is not believed; the proxy itself then stands for everyone behind it.
 */
export function clientAddress(request: FastifyRequest): string {
  const claimed = request.ip;
  if (isIP(claimed)) return claimed;
  const withPort = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(claimed);
  const bare = withPort?.[1] ?? withPort?.[2] ?? "";
  return isIP(bare) ? bare : (request.socket.remoteAddress ?? "unknown");
}

/**
 * The address that limits are counted by. One IPv6 customer has a whole /64 to choose from, so these count as one;
 * an IPv4 address that arrives in IPv6 dress (::ffff:203.0.113.7) counts as what it is.
 */
export function limitAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1] as string;
  if (!isIPv6(address)) return address;
  return `${expandIPv6(address).slice(0, 4).join(":")}::/64`;
}

function expandIPv6(address: string): string[] {
  const [head = "", tail] = (address.split("%")[0] as string).split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups =
    tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill("0"), ...right];
  return groups.map((group) => Number.parseInt(group, 16).toString(16));
}

export function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127\./i.test(address);
}

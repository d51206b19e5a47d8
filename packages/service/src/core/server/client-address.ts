import { isIP, isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";

/**
 * The client's address: the socket's address, or the rightmost hop of X-Forwarded-For that is not a trusted proxy. The
 * port is removed, otherwise each connection would count as another client. If the hop is not an address, the proxy's
 * address is used.
 */
export function clientAddress(request: FastifyRequest): string {
  const claimed = request.ip;
  if (isIP(claimed)) return claimed;
  const withPort = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(claimed);
  const bare = withPort?.[1] ?? withPort?.[2] ?? "";
  return isIP(bare) ? bare : (request.socket.remoteAddress ?? "unknown");
}

/**
 * The address for rate limits. An IPv6 customer usually has a whole /64, so it counts as one address. An IPv4-mapped
 * address (::ffff:203.0.113.7) counts as IPv4.
 */
export function limitAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = expandIPv6(address);
  return (
    mappedIPv4(groups) ??
    `${groups
      .slice(0, 4)
      .map((group) => group.toString(16))
      .join(":")}::/64`
  );
}

/** The eight groups of an IPv6 address. The last two may be written as IPv4. */
function expandIPv6(address: string): number[] {
  const bare = (address.split("%")[0] as string).replace(
    /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/,
    (_match, ...bytes: string[]) => {
      const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
      return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
    },
  );
  const [left = [], right] = bare.split("::").map((side) => side.split(":").filter(Boolean));
  const zeros = right === undefined ? [] : Array<string>(8 - left.length - right.length).fill("0");
  return [...left, ...zeros, ...(right ?? [])].map((group) => Number.parseInt(group, 16));
}

function mappedIPv4(groups: number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join(".") : undefined;
}

export function isLoopback(address: string): boolean {
  return address === "::1" || (isIP(address) !== 0 && limitAddress(address).startsWith("127."));
}

import type { Config } from "../config.js";

/** Where a service listens. No port for TLS: a proxy in front of it ends TLS. */
export interface Ports {
  httpsPort: number | null;
  httpPort: number;
}

/** By which address people and partners reach the service: the one the operator gave it, or the one it listens on. */
export function serviceAddress(
  { publicUrl, host }: Pick<Config, "publicUrl" | "host">,
  { httpsPort, httpPort }: Ports,
): string {
  if (publicUrl !== undefined) return publicUrl;
  return httpsPort === null ? plainAddress(host, httpPort) : `https://${reachableHost(host)}:${httpsPort}`;
}

/** Where health and metrics are. */
export function plainAddress(host: string, httpPort: number): string {
  return `http://${reachableHost(host)}:${httpPort}`;
}

/** The ports that a service with this configuration opens, for commands that run beside it. */
export function configuredPorts({ https, httpsPort, httpPort }: Pick<Config, "https" | keyof Ports>): Ports {
  return { httpsPort: https ? httpsPort : null, httpPort };
}

/** An address to connect to: nobody connects to "all addresses", and IPv6 needs brackets. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

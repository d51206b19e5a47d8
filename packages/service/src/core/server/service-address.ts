import type { Config } from "../config.js";

declare module "fastify" {
  interface FastifyInstance {
    /** The configured ports. Once the service listens: the ports in use, which differ if 0 is configured. */
    ports: Ports;
  }
}

/** Where the service listens. Without a TLS port, a proxy terminates TLS. */
export interface Ports {
  httpsPort: number | null;
  httpPort: number;
}

export type AddressSettings = Pick<Config, "publicUrl" | "host" | "httpHost">;

/** The public address that the operator configured, or the listen address. */
export function serviceAddress(config: AddressSettings, { httpsPort, httpPort }: Ports): string {
  if (config.publicUrl !== undefined) return config.publicUrl;
  return httpsPort === null
    ? plainAddress(config, httpPort)
    : `https://${reachableHost(config.host)}:${httpsPort}`;
}

/** The address that takes API keys; undefined if the service does not know it, because a proxy terminates TLS. */
export function secureAddress(config: AddressSettings, ports: Ports): string | undefined {
  const address = serviceAddress(config, ports);
  return address.startsWith("https:") ? address : undefined;
}

/** The address of health and metrics. */
export function plainAddress(
  { host, httpHost }: Pick<Config, "host" | "httpHost">,
  httpPort: number,
): string {
  return `http://${reachableHost(httpHost ?? host)}:${httpPort}`;
}

/** The ports of a service with this configuration, for commands that run beside it. */
export function configuredPorts({ https, httpsPort, httpPort }: Pick<Config, "https" | keyof Ports>): Ports {
  return { httpsPort: https ? httpsPort : null, httpPort };
}

/** An address to connect to. Clients cannot connect to "all addresses", and IPv6 needs brackets. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

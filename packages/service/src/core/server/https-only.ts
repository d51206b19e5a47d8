import { isIP } from "node:net";
import { hostname } from "node:os";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fastifyPlugin from "fastify-plugin";
import type { Config } from "../config.js";
import { Refused } from "../refusals/refused.js";
import { clientAddress, isLoopback } from "./client-address.js";

declare module "fastify" {
  interface FastifyInstance {
    /** Whether the plain port accepts this Host header. */
    isKnownHost(name: string): boolean;
  }
}

/** Whether the client used TLS, according to a trusted proxy or else the socket. */
export function isSecure(request: FastifyRequest): boolean {
  return request.protocol.toLowerCase() === "https";
}

/** The plain port serves pages (console, documentation) only to the same machine and under known host names. */
export async function secureOrLocal(request: FastifyRequest): Promise<void> {
  if (isSecure(request)) return;
  if (!isLoopback(clientAddress(request))) throw new Refused("loopbackOnly");
  refuseUnknownHost(request);
}

/** localhost, or an IP address. */
export function isLocalName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || isAddress(name);
}

/** An IPv6 address may be in brackets. */
function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, "")) !== 0;
}

type HostSettings = Pick<Config, "host" | "httpHost" | "httpNames" | "publicUrl" | "tlsNames">;

/**
 * Protects the plain port against DNS rebinding: a web page could resolve its own name to this machine and read the
 * port as its own origin. IP addresses and names that cannot be registered are safe. Other names must be configured.
 */
export const knownHosts = fastifyPlugin<{ config: HostSettings }>(
  async (app: FastifyInstance, { config }) => {
    const configured = [
      hostname(),
      config.host,
      ...(config.httpHost === undefined ? [] : [config.httpHost]),
      ...(config.publicUrl === undefined ? [] : [new URL(config.publicUrl).hostname]),
      ...config.tlsNames,
      ...config.httpNames,
    ].map((name) => name.toLowerCase());
    const exact = new Set(configured);
    const endings = configured.filter((name) => name.startsWith("*.")).map((name) => name.slice(1));
    app.decorate("isKnownHost", (given: string): boolean => {
      const name = given.toLowerCase().replace(/\.$/, "");
      return (
        isUnregistrable(name) || exact.has(name) || endings.some((ending) => isOneLabelBefore(name, ending))
      );
    });
  },
);

/** IP addresses, names without a dot as in `gatehouse:8080`, and suffixes that public DNS never has. */
function isUnregistrable(name: string): boolean {
  return isAddress(name) || !name.includes(".") || /\.(?:localhost|local|internal|svc)$/.test(name);
}

function isOneLabelBefore(name: string, ending: string): boolean {
  return name.endsWith(ending) && !name.slice(0, -ending.length).includes(".");
}

/**
 * For everything that the plain port serves without a key. A page can add X-Forwarded-Host, which counts if this
 * machine is a trusted proxy, but it cannot change Host. So both must be known.
 */
export function refuseUnknownHost(request: FastifyRequest): void {
  const host = (request.raw.headers.host ?? "").replace(/:\d+$/, "");
  if ([request.hostname, host].every((name) => request.server.isKnownHost(name))) return;
  throw new Refused("loopbackOnly", {
    details: [
      "The Host header is not a known name of this service. Use its IP address, or add the name to GATEHOUSE_HTTP_NAMES.",
    ],
  });
}

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

/** Whether the client came over TLS, by the word of a trusted proxy or else by the socket. */
export function isSecure(request: FastifyRequest): boolean {
  return request.protocol.toLowerCase() === "https";
}

/** The plain port serves pages (console, documentation) only to its own machine, and under known hosts. */
export async function secureOrLocal(request: FastifyRequest): Promise<void> {
  if (isSecure(request)) return;
  if (!isLoopback(clientAddress(request))) throw new Refused("loopbackOnly");
  refuseUnknownHost(request);
}

/** localhost, or an address without a name. */
export function isLocalName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || isAddress(name);
}

/** An IPv6 address may be in brackets. */
function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, "")) !== 0;
}

type HostSettings = Pick<Config, "host" | "httpHost" | "httpNames" | "publicUrl" | "tlsNames">;

/**
 * Protects the plain port against DNS rebinding: a web page can point its own name at this machine and read the port as if
 * it were its own server. Addresses and names that cannot be registered are safe; other hosts have to be configured.
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

/** Addresses, names without a dot as in `gatehouse:8080`, and endings that the public DNS never has. */
function isUnregistrable(name: string): boolean {
  return isAddress(name) || !name.includes(".") || /\.(?:localhost|local|internal|svc)$/.test(name);
}

function isOneLabelBefore(name: string, ending: string): boolean {
  return name.endsWith(ending) && !name.slice(0, -ending.length).includes(".");
}

/**
 * For everything that the plain port shows without a key. A page can add X-Forwarded-Host, which counts where this machine is a
 * trusted proxy. It cannot change Host, so both must be known.
 */
export function refuseUnknownHost(request: FastifyRequest): void {
  const host = (request.raw.headers.host ?? "").replace(/:\d+$/, "");
  if ([request.hostname, host].every((name) => request.server.isKnownHost(name))) return;
  throw new Refused("loopbackOnly", {
    details: [
      "The Host header is not a name of this service. Use its address, or name it in GATEHOUSE_HTTP_NAMES.",
    ],
  });
}

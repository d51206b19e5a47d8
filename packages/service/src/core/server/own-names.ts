import { isIP } from "node:net";
import { hostname } from "node:os";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fastifyPlugin from "fastify-plugin";
import type { Config } from "../config.js";
import { RequestRefused } from "../refusals/request-refused.js";

declare module "fastify" {
  interface FastifyInstance {
    /** Whether a Host header may name this service on the plain port. */
    isOwnName(name: string): boolean;
  }
}

type Names = Pick<Config, "host" | "httpHost" | "httpNames" | "publicUrl" | "tlsNames">;

/**
 * A web page can make its own name point to this machine (DNS rebinding), and then read the plain port of the machine that
 * the browser runs on as if it were the page's own server. The name is in the Host header. Addresses and names that nobody
 * can register are safe; other names have to be configured.
 */
export const ownNames = fastifyPlugin<{ config: Names }>(async (app: FastifyInstance, { config }) => {
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
  app.decorate("isOwnName", (given: string): boolean => {
    const name = given.toLowerCase().replace(/\.$/, "");
    return (
      isUnregistrable(name) || exact.has(name) || endings.some((ending) => isOneLabelBefore(name, ending))
    );
  });
});

/** Addresses, names without a dot as in `gatehouse:8080`, and endings that are never delegated on the internet. */
function isUnregistrable(name: string): boolean {
  const bare = name.replace(/^\[|\]$/g, "");
  return isIP(bare) !== 0 || !bare.includes(".") || /\.(?:localhost|local|internal|svc)$/.test(bare);
}

function isOneLabelBefore(name: string, ending: string): boolean {
  return name.endsWith(ending) && !name.slice(0, -ending.length).includes(".");
}

/** For what the plain port shows without a key. */
export function refuseForeignName(request: FastifyRequest): void {
  const { hostname: name } = request;
  if (request.server.isOwnName(name)) return;
  throw new RequestRefused("loopbackOnly", {
    details: [
      "The Host header is not a name of this service. Use its address, or name it in GATEHOUSE_HTTP_NAMES.",
    ],
  });
}

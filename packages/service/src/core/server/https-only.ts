import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { clientAddress, isLoopback } from "./client-address.js";
import { RequestRefused } from "../refusals/request-refused.js";
import { refuseForeignName } from "./own-names.js";

const transportSecuritySeconds = 31_536_000;

/** Whether the client came over TLS: a trusted proxy in front of us knows; if there is none, the socket does. */
export function isSecure(request: FastifyRequest): boolean {
  return request.protocol.toLowerCase() === "https";
}

/** The plain port serves pages for people (console, documentation) only to its own machine, and under its own names. */
export async function secureOrLocal(request: FastifyRequest): Promise<void> {
  if (isSecure(request)) return;
  if (!isLoopback(clientAddress(request))) throw new RequestRefused("loopbackOnly");
  refuseForeignName(request);
}

/**
 * Tells browsers to come back over TLS only. Not under a local name: browsers apply it to every port of the name, so
 * the plain port of this machine, and whatever else is developed on it, would be out of reach for a year.
 */
export const transportSecurity = fastifyPlugin(async (app: FastifyInstance) => {
  app.addHook("onRequest", (request, reply, done) => {
    if (isSecure(request) && !isLocalName(request.hostname))
      void reply.header("strict-transport-security", `max-age=${transportSecuritySeconds}`);
    done();
  });
});

/** localhost, or an address without a name. */
export function isLocalName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || isIP(name.replace(/^\[|\]$/g, "")) !== 0;
}

import type { TLSSocket } from "node:tls";
import type { FastifyRequest } from "fastify";
import { isLoopback } from "./client-address.js";
import { RequestRefused } from "./errors.js";

/** Whether the request came over TLS: to us, or to a trusted proxy that says so. */
export function isSecure(request: FastifyRequest): boolean {
  return (request.raw.socket as TLSSocket).encrypted === true || request.protocol === "https";
}

/** Pages for people (console, documentation) leave the plain port only towards the machine itself. */
export async function secureOrLocal(request: FastifyRequest): Promise<void> {
  if (!isSecure(request) && !isLoopback(request.socket.remoteAddress ?? ""))
    throw new RequestRefused("loopbackOnly");
}

import type { FastifyReply, FastifyRequest } from "fastify";
import { isLocalName } from "../../server/https-only.js";

/**
 * The prefix __Host- makes browsers insist on Secure and Path=/ and refuse a Domain, so no other host, subdomain or
 * plain page can set or overwrite the cookie.
 */
export const sessionCookie = "__Host-gatehouse-session";
/**
 * Browsers send a cookie to every port of its host. On localhost and under a bare address these ports often belong to
 * other programs. There the cookie has a path that only the console's interface has, which __Host- does not allow. Such
 * a name has no subdomains that __Host- would protect from.
 */
const localCookie = "__Secure-gatehouse-session";
const attributes = { httpOnly: true, secure: true, sameSite: "strict" } as const;

export function sessionToken(request: FastifyRequest): string | undefined {
  const { cookies } = request;
  // Under another name a subdomain could have set the local cookie.
  const local = isLocalName(request.hostname) ? cookies[localCookie] : undefined;
  return local ?? cookies[sessionCookie];
}

export function setSessionCookie(reply: FastifyReply, token: string, expiresAt: Date): void {
  const { name, path } = cookieFor(reply);
  void reply.setCookie(name, token, { ...attributes, path, expires: expiresAt });
}

export function clearSessionCookie(reply: FastifyReply): void {
  const { name, path } = cookieFor(reply);
  void reply.clearCookie(name, { ...attributes, path });
}

function cookieFor({ request }: FastifyReply): { name: string; path: string } {
  return isLocalName(request.hostname)
    ? { name: localCookie, path: "/console/api" }
    : { name: sessionCookie, path: "/" };
}

import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * The prefix __Host- makes browsers insist on Secure and Path=/ and refuse a Domain, so no other host, subdomain or
 * plain page can set or overwrite it. They take it on http://127.0.0.1 and http://localhost too.
 */
export const sessionCookie = "__Host-gatehouse-session";
const attributes = { path: "/", httpOnly: true, secure: true, sameSite: "strict" } as const;

export function sessionToken(request: FastifyRequest): string | undefined {
  return request.cookies[sessionCookie];
}

export function setSessionCookie(reply: FastifyReply, token: string, expiresAt: Date): void {
  void reply.setCookie(sessionCookie, token, { ...attributes, expires: expiresAt });
}

export function clearSessionCookie(reply: FastifyReply): void {
  void reply.clearCookie(sessionCookie, attributes);
}

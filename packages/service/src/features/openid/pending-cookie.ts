import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pending } from "./provider.js";

/**
 * Binds what comes back from the provider to the browser that was sent there: nobody can be signed in as somebody else
 * by following a link with another person's answer in it.
 */
const pendingCookie = "__Host-gatehouse-provider";
const attributes = { path: "/", httpOnly: true, secure: true, sameSite: "strict" } as const;
/** How long the browser may take to come back. */
export const pendingSeconds = 600;

export function setPending(reply: FastifyReply, { state, nonce, verifier }: Pending): void {
  void reply.setCookie(pendingCookie, [state, nonce, verifier].join("."), {
    ...attributes,
    maxAge: pendingSeconds,
  });
}

/** Undefined if this browser was not sent to the provider, or too long ago. It is taken once. */
export function takePending(request: FastifyRequest, reply: FastifyReply): Pending | undefined {
  const [state, nonce, verifier] = request.cookies[pendingCookie]?.split(".") ?? [];
  void reply.clearCookie(pendingCookie, attributes);
  return state && nonce && verifier ? { state, nonce, verifier } : undefined;
}

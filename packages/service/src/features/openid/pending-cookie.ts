import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pending } from "./provider.js";

/**
 * Ties the provider's answer to the browser that started the sign-in. A link with another user's answer
 * therefore signs no one in.
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

/** Undefined if this browser did not start a sign-in, or too long ago. It is used once. */
export function takePending(request: FastifyRequest, reply: FastifyReply): Pending | undefined {
  const [state, nonce, verifier] = request.cookies[pendingCookie]?.split(".") ?? [];
  void reply.clearCookie(pendingCookie, attributes);
  return state && nonce && verifier ? { state, nonce, verifier } : undefined;
}

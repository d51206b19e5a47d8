import type { FastifyReply } from "fastify";

/** Says that the answer depends on a header of the request, besides those that it depends on already. */
export function addVary(reply: FastifyReply, header: string): void {
  const others = reply.getHeader("vary");
  void reply.header("vary", others === undefined ? header : `${String(others)}, ${header}`);
}

import type { FastifyReply } from "fastify";

/** One signal per answer, so that listeners do not accumulate on a connection. */
const lifetimes = new WeakMap<FastifyReply, AbortSignal>();

/**
 * Aborted when the answer has been sent or the client has disconnected. A queued answer never emits 'close', so this
 * also listens to the socket.
 */
export function untilAnswered(reply: FastifyReply): AbortSignal {
  const known = lifetimes.get(reply);
  if (known) return known;
  const signal = watch(reply);
  lifetimes.set(reply, signal);
  return signal;
}

function watch(reply: FastifyReply): AbortSignal {
  const over = new AbortController();
  const { socket } = reply.request.raw;
  const events = [
    { emitter: reply.raw, name: "finish" },
    { emitter: reply.raw, name: "close" },
    { emitter: socket, name: "close" },
  ];
  const end = (): void => {
    for (const { emitter, name } of events) emitter.off(name, end);
    over.abort();
  };
  for (const { emitter, name } of events) emitter.once(name, end);
  // If the client has already disconnected, no 'close' follows.
  if (reply.raw.destroyed || socket.destroyed) end();
  return over.signal;
}

import type { FastifyReply } from "fastify";

/** One signal for each answer, however many ask for it, so that listeners do not add up on a connection. */
const lifetimes = new WeakMap<FastifyReply, AbortSignal>();

/**
 * Aborted when the answer was sent, or when nobody is there to read it any more. An answer that waits behind another on
 * its connection never says that it is closed: its socket does.
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
  // If the client has left already, no 'close' will come.
  if (reply.raw.destroyed || socket.destroyed) end();
  return over.signal;
}

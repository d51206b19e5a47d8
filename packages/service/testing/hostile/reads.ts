import { tracingChannel } from "node:diagnostics_channel";
import { vi } from "vitest";

/** The parts of the request that a handler read. */
export interface Reads {
  query: Set<string>;
  /** Fields of the body; nested ones with dots. */
  body: Set<string>;
}

/**
 * Records what a handler reads while `work` sends a request, which finds undeclared reads. `body` is the text of the
 * request's body, if it has one.
 */
export async function readsOf(work: () => Promise<unknown>, body?: string): Promise<Reads> {
  const reads: Reads = { query: new Set(), body: new Set() };
  const channel = tracingChannel("fastify.request.handler");
  const start = (message: unknown): void => {
    const { request } = message as { request: { query: object } };
    request.query = watched(request.query, "", reads.query);
  };
  const subscribers = { start } as Parameters<typeof channel.subscribe>[0];
  const parse = JSON.parse;
  channel.subscribe(subscribers);
  const spy = vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    const value: unknown = parse(text, reviver);
    return text === body && isObject(value) ? watched(value, "", reads.body) : value;
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
    channel.unsubscribe(subscribers);
  }
  return reads;
}

function watched<T extends object>(value: T, prefix: string, names: Set<string>): T {
  const note = (name: string | symbol): void => {
    // Promises read `then` of every object that they are resolved with.
    if (typeof name === "string" && name !== "then") names.add(prefix + name);
  };
  return new Proxy(value, {
    has: (target, name) => (note(name), Reflect.has(target, name)),
    getOwnPropertyDescriptor: (target, name) => (note(name), Reflect.getOwnPropertyDescriptor(target, name)),
    get(target, name) {
      note(name);
      const inner: unknown = Reflect.get(target, name);
      return isObject(inner) ? watched(inner, `${prefix}${String(name)}.`, names) : inner;
    },
  });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import pg from "pg";
import { vi } from "vitest";

type Query = (...values: unknown[]) => unknown;

/** Our code, from the sources or from the build. */
const ownFrame = /packages\/service\/(?:src|dist)\//;
const nameOfFrame = /^\s*at (?:async )?(.*?)(?: \[as .*\])? \(/;
const isHandler = (frame: string) => /(?:^|\.)handler$/.test(nameOfFrame.exec(frame)?.[1] ?? "");

/**
 * The functions from a route's handler to its first statement, the handler first. Statements sent outside a handler,
 * such as those of the gate, do not count.
 */
export async function callsToFirstStatement(request: () => Promise<unknown>): Promise<string[]> {
  let first: string[] | undefined;
  const note = (): void => {
    const frames = ownFrames();
    const handler = frames.findIndex(isHandler);
    if (handler !== -1) first ??= frames.slice(0, handler + 1).toReversed();
  };
  // A pool query first takes a connection, whose stack has no caller. Transactions query their connection directly.
  const spies = [pg.Pool.prototype, pg.Client.prototype].map((prototype) => {
    const query = prototype.query as Query;
    return vi.spyOn(prototype, "query").mockImplementation(function (this: unknown, ...values: unknown[]) {
      note();
      return query.apply(this, values);
    } as never);
  });
  try {
    await request();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  if (!first) throw new Error("no statement was sent by a handler");
  return first.map((frame) => frame.trim());
}

/** Callers that wait with `await` are on the stack too (--async-stack-traces is on by default). */
function ownFrames(): string[] {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace);
  Error.stackTraceLimit = limit;
  return (trace.stack ?? "").split("\n").filter((line) => ownFrame.test(line));
}

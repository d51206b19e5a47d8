import pg from "pg";
import { vi } from "vitest";
import { Pipeline } from "../src/core/database/pipeline.js";

type Query = (...values: unknown[]) => unknown;

/**
 * Intercepts with `onStatements` everything sent by clients taken from the pool from now on. It gets the texts of one
 * round trip, a function that sends them, and the client. Returns a function that stops this.
 */
export function interceptStatements(
  pool: pg.Pool,
  onStatements: (texts: string[], send: () => unknown, client: pg.PoolClient) => unknown,
): () => void {
  const connect = pool.connect.bind(pool) as (callback?: unknown) => Promise<pg.PoolClient>;
  const intercepted = new Set<pg.PoolClient>();
  const spy = vi.spyOn(pool, "connect").mockImplementation((async (callback?: unknown) => {
    // A query of the pool itself, outside a transaction.
    if (callback) return connect(callback);
    const client = await connect();
    if (!intercepted.has(client)) {
      intercepted.add(client);
      const query = client.query.bind(client) as Query;
      client.query = ((...values: unknown[]) => {
        return onStatements(textsOf(values[0] as Sent), () => query(...values), client);
      }) as never;
    }
    return client;
  }) as never);
  return () => {
    spy.mockRestore();
    for (const client of intercepted) delete (client as { query?: unknown }).query;
  };
}

type Sent = string | { text: string } | Pipeline;

function textsOf(sent: Sent): string[] {
  if (sent instanceof Pipeline) return sent.statements.map(({ text }) => text);
  return [typeof sent === "string" ? sent : sent.text];
}

/** The statements sent in transactions while `work` runs, one list per round trip. */
export async function roundTripsOf(pool: pg.Pool, work: () => Promise<unknown>): Promise<string[][]> {
  const roundTrips: string[][] = [];
  const stop = interceptStatements(pool, (texts, send) => {
    roundTrips.push(texts);
    return send();
  });
  try {
    await work();
  } finally {
    stop();
  }
  return roundTrips;
}

/** The same in one list; COPY counts as one statement. */
export async function statementsOf(pool: pg.Pool, work: () => Promise<unknown>): Promise<string[]> {
  return (await roundTripsOf(pool, work)).flat();
}

export interface SentStatement {
  text: string;
  /** The transaction that it belonged to. Undefined: it ran outside one. */
  transaction: number | undefined;
}

/** Every statement that any connection of this process sends from now on. */
export function recordStatements(): { sent: SentStatement[]; stop(): void } {
  const sent: SentStatement[] = [];
  const open = new WeakMap<pg.Client, number>();
  let transactions = 0;
  const query = pg.Client.prototype.query as Query;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...values: unknown[]
  ) {
    for (const text of textsOf(values[0] as Sent)) {
      if (text === "begin") open.set(this, (transactions += 1));
      sent.push({ text, transaction: open.get(this) });
      if (text === "commit" || text === "rollback") open.delete(this);
    }
    return query.apply(this, values);
  } as never);
  return { sent, stop: () => spy.mockRestore() };
}

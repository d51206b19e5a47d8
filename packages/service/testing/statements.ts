import pg from "pg";
import { vi } from "vitest";

type Query = (...values: unknown[]) => unknown;

/**
 * Puts `onStatement` in the way of every statement of clients that are taken from the pool from now on. It gets the
 * text, a function that sends it, and the client. Returns what ends it.
 */
export function interceptStatements(
  pool: pg.Pool,
  onStatement: (text: string, send: () => unknown, client: pg.PoolClient) => unknown,
): () => void {
  const connect = pool.connect.bind(pool) as (callback?: unknown) => Promise<pg.PoolClient>;
  const intercepted = new Set<pg.PoolClient>();
  const spy = vi.spyOn(pool, "connect").mockImplementation((async (callback?: unknown) => {
    // A query of the pool itself, which is not part of a transaction.
    if (callback) return connect(callback);
    const client = await connect();
    if (!intercepted.has(client)) {
      intercepted.add(client);
      const query = client.query.bind(client) as Query;
      client.query = ((...values: unknown[]) => {
        const statement = values[0] as string | { text: string };
        const text = typeof statement === "string" ? statement : statement.text;
        return onStatement(text, () => query(...values), client);
      }) as never;
    }
    return client;
  }) as never);
  return () => {
    spy.mockRestore();
    for (const client of intercepted) delete (client as { query?: unknown }).query;
  };
}

/** The statements that are sent in transactions while `work` runs; COPY counts as one. */
export async function statementsOf(pool: pg.Pool, work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const stop = interceptStatements(pool, (text, send) => {
    statements.push(text);
    return send();
  });
  try {
    await work();
  } finally {
    stop();
  }
  return statements;
}

export interface SentStatement {
  text: string;
  /** Which transaction it was part of; undefined: one of its own. */
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
    const statement = values[0] as string | { text: string };
    const text = typeof statement === "string" ? statement : statement.text;
    if (text === "begin") open.set(this, (transactions += 1));
    sent.push({ text, transaction: open.get(this) });
    if (text === "commit" || text === "rollback") open.delete(this);
    return query.apply(this, values);
  } as never);
  return { sent, stop: () => spy.mockRestore() };
}

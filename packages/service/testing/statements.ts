import type pg from "pg";
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

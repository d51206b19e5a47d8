import pg from "pg";
import type { Statement } from "./pipeline.js";
import { databaseTrouble } from "./sqlstate.js";

/** Runs last in every transaction of a checked pool. Throws to roll it back. */
export type Check = (client: pg.PoolClient) => Promise<void>;
const checks = new WeakMap<pg.Pool, { pool: pg.Pool; check: Check }>();

/**
 * The same pool, but nothing is committed or returned unless `check` passes. The check runs after the work, because a
 * permission may be revoked while the work waits for a lock or a connection.
 */
export function checkedPool(pool: pg.Pool, check: Check): pg.Pool {
  const query = (...given: Parameters<pg.PoolClient["query"]>) =>
    transaction(checked, (client) => client.query(...given) as unknown as Promise<unknown>);
  const connect = () => Promise.reject(new Error("work on a checked pool goes through transaction()"));
  const checked: pg.Pool = Object.create(pool, { query: { value: query }, connect: { value: connect } });
  checks.set(checked, { pool, check });
  return checked;
}

/** For work that does not open its transaction with transaction(). */
export function checkOf(pool: pg.Pool): Check | undefined {
  return checks.get(pool)?.check;
}

/** With a pool, a function opens a transaction. With a client, it joins the caller's transaction. */
export type Connection = pg.Pool | pg.PoolClient;

/**
 * Runs `work` in a transaction, which is committed if it returns and rolled back if it throws. With a client, which is in
 * a transaction already, it joins that transaction.
 */
export async function transaction<T>(
  connection: Connection,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return connection instanceof pg.Pool ? runTransaction(connection, work, "commit") : work(connection);
}

/** Runs `work` in a transaction that is always rolled back. */
export function dryRun<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return runTransaction(pool, work, "rollback");
}

async function runTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  end: "commit" | "rollback",
): Promise<T> {
  const checked = checks.get(pool);
  const client = await (checked?.pool ?? pool).connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(client);
    await checked?.check(client);
    await client.query(end);
    return result;
  } catch (error) {
    try {
      await client.query("rollback");
    } catch (rollbackError) {
      // Releasing the connection with an error removes it from the pool.
      broken = rollbackError as Error;
    }
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Sets the lock timeout of the transaction. The first statement makes Citus pass the setting on to its workers; a single
 * server ignores it.
 */
export function setLockTimeout(timeout: string): Statement[] {
  return [
    { text: "set local citus.propagate_set_commands = 'local'" },
    { text: `set local lock_timeout = '${timeout}'` },
  ];
}

const maxAttempts = 3;

/**
 * Retries `work` after a deadlock or a serialization failure. Our own statements take their locks in one order; an
 * operator's session may not.
 */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || databaseTrouble(error) !== "conflict") throw error;
    }
  }
}

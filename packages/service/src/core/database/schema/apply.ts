import type pg from "pg";
import { isolation } from "../pooler-client.js";
import { databaseTrouble, isLockTrouble } from "../sqlstate.js";
import { prepareIndex } from "./concurrent-index.js";
import { prepareLedger, readLedger, record, lastOfFirstRelease } from "./ledger.js";
import type { Migration } from "./migration-files.js";
import { retryWhileLocked, type LockTimeout } from "./lock-timeout.js";
import { OperatorError } from "../../operator-error.js";
import { lockForMigration } from "./schema-lock.js";
import { splitStatements } from "./split-statements.js";

export type Connect = (settings: { lockWaitMs?: number }) => Promise<pg.Client>;

/** Applies a migration with retries. Returns false if another process has applied it meanwhile. */
export function applyMigration(
  client: pg.Client,
  migration: Migration,
  lockTimeout: LockTimeout,
  connect: Connect,
): Promise<boolean> {
  return retryWhileLocked(`Migration ${migration.name} was not applied`, lockTimeout, () =>
    inTransaction(client, migration, async () => {
      await lockForMigration(client, migration.number);
      if (migration.number <= lastOfFirstRelease) await prepareLedger(client);
      if ((await readLedger(client))?.some(({ number }) => number === migration.number)) return false;
      if (migration.isTransactional) await runInside(client, migration, lockTimeout);
      else await runBeside(client, migration, lockTimeout, connect);
      await record(client, migration);
      return true;
    }),
  );
}

async function runInside(
  client: pg.Client,
  migration: Migration,
  { lockWaitMs }: LockTimeout,
): Promise<void> {
  await client.query(`set local lock_timeout = ${lockWaitMs}`);
  await client.query("set local statement_timeout = 0");
  for (const statement of splitStatements(migration.sql)) await client.query(statement);
}

/**
 * A statement that cannot run in a transaction gets a separate connection, while the transaction of the first one only
 * holds the lock. It may wait long for older transactions, because nothing waits behind it. If either ends early, the
 * statement is repeated, which is safe.
 */
async function runBeside(
  client: pg.Client,
  migration: Migration,
  { totalMs }: LockTimeout,
  connect: Connect,
): Promise<void> {
  const [statement, ...more] = splitStatements(migration.sql);
  if (statement === undefined || more.length > 0)
    throw new OperatorError(
      `Migration ${migration.name} runs outside a transaction and is not one statement.`,
    );
  await client.query("set local idle_in_transaction_session_timeout = 0");
  const worker = await connect({ lockWaitMs: totalMs });
  try {
    await prepareIndex(worker, statement);
    await worker.query(statement);
  } finally {
    await worker.end();
  }
}

async function inTransaction<T>(client: pg.Client, migration: Migration, work: () => Promise<T>): Promise<T> {
  // The other process's commit must be visible, whatever the server's default isolation level is.
  await client.query(`begin isolation level ${isolation}`);
  try {
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    const isLocked = isLockTrouble(error);
    // A lost server has also ended the transaction.
    if (!isLocked && databaseTrouble(error) === "unavailable") throw error;
    await client.query("rollback");
    if (isLocked) throw new OperatorError(await whoIsInTheWay(client), { retry: "later", cause: error });
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`Migration ${migration.name} failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** The oldest transaction is the most likely blocker, and the one that an operator can end. */
async function whoIsInTheWay(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; seconds: number }>(
    `select pid, application_name as name, extract(epoch from now() - xact_start)::int as seconds
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 1`,
  );
  const [oldest] = rows;
  const others = "other transactions have held locks that it needs";
  return oldest
    ? `${others} (the oldest is open for ${oldest.seconds} s: process ${oldest.pid}, "${oldest.name}")`
    : others;
}

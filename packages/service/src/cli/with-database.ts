import type pg from "pg";
import { followDatabaseClock } from "../clock.js";
import { readConfig, type Config } from "../config.js";
import { useDatabaseServer } from "../database/database-server.js";
import { primaryOf } from "../database/hosts.js";
import { openDatabase } from "../database/pool.js";
import { migrate } from "../database/schema/migrate.js";
import { SchemaError } from "../database/schema/schema-error.js";
import { schemaRefusal, schemaState } from "../database/schema/schema-state.js";
import { remark } from "./output.js";

export interface Session {
  config: Config;
  pool: pg.Pool;
  /** For what reads or writes a whole organization in one transaction. */
  exports: pg.Pool;
  connectionString: string;
}

/** A command does one thing at a time; the second connection is for work that reads while it writes. */
const connections = 2;

/**
 * Runs one command against the database: the one of a running service, or one that is started for the command and
 * stopped after it.
 */
export async function withDatabase<T>(
  work: (session: Session) => Promise<T>,
  options: { bringUpToDate?: boolean } = {},
): Promise<T> {
  const config = readConfig(process.env);
  const server = await useDatabaseServer(config);
  // Where several servers are named, the primary is looked for first: a command has no second try.
  const connectionString = await primaryOf(server.connectionString);
  const database = openDatabase({
    connectionString,
    workConnections: connections,
    isBehindPooler: config.databasePooler === "transaction",
  });
  const close = async (): Promise<void> => {
    await database.close();
    await server.stop();
  };
  const interrupted = (): void => void close().finally(() => process.exit(1));
  let stopFollowing: (() => void) | undefined;
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  try {
    if (options.bringUpToDate) await migrate(connectionString);
    else await prepareSchema(database.work, connectionString);
    stopFollowing = await followDatabaseClock(database.work, () => undefined);
    return await work({ config, pool: database.work, exports: database.exports, connectionString });
  } finally {
    stopFollowing?.();
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    await close();
  }
}

/**
 * Only serve, migrate and demo bring a database up to date. Any command may set up one that has no tables at all, so
 * that scripts can begin with `organization create`; anything else might be a mistyped DATABASE_URL or a release
 * whose instances still run.
 */
async function prepareSchema(pool: pg.Pool, connectionString: string): Promise<void> {
  const state = await schemaState(pool);
  const refusal = schemaRefusal(state);
  if (refusal === undefined) return;
  if (state.is !== "empty") throw new SchemaError(refusal);
  await migrate(connectionString);
  remark("The database was empty and has been set up.");
}

import type pg from "pg";
import { followDatabaseClock } from "../clock.js";
import { readConfig, type Config } from "../config.js";
import { useDatabaseServer } from "../database/database-server.js";
import { primaryOf } from "../database/hosts.js";
import { openDatabase } from "../database/pool.js";
import { migrate } from "../database/schema/migrate.js";
import { OperatorError } from "../operator-error.js";
import { schemaRefusal, schemaState } from "../database/schema/schema-state.js";

export interface Session {
  config: Config;
  pool: pg.Pool;
  /** For commands that read or write a whole organization in one transaction. */
  exports: pg.Pool;
  connectionString: string;
}

/** A command does one thing at a time. The second connection is for commands that read while they write. */
const connections = 2;

export interface SessionOptions {
  /**
   * True: creates and migrates a missing database. Otherwise the command fails if the database is missing or not
   * migrated.
   */
  setUp?: boolean;
}

/**
 * Runs a command on the database of a running service, or starts the database for the command and stops it afterwards.
 */
export async function withDatabase<T>(
  work: (session: Session) => Promise<T>,
  { setUp = false }: SessionOptions = {},
): Promise<T> {
  const config = readConfig(process.env);
  const server = await useDatabaseServer(config, { mayCreate: setUp });
  // If several servers are listed, this finds the primary. A command does not retry.
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
    if (setUp) await migrate(connectionString);
    else await requireSchema(database.work);
    stopFollowing = await followDatabaseClock(database.work, () => undefined);
    return await work({ config, pool: database.work, exports: database.exports, connectionString });
  } finally {
    stopFollowing?.();
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    await close();
  }
}

/**
 * An empty, unknown or older database may mean that DATABASE_URL is wrong or that older instances are still running.
 */
async function requireSchema(pool: pg.Pool): Promise<void> {
  const refusal = schemaRefusal(await schemaState(pool));
  if (refusal !== undefined) throw new OperatorError(refusal);
}

/** Runs work that Ctrl-C and SIGTERM can interrupt. The work cleans up, and the command exits with 1. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = (): void => {
    // A second Ctrl-C ends the process at once.
    if (interruption.signal.aborted) process.exit(1);
    interruption.abort();
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  try {
    return await work(interruption.signal);
  } catch (error) {
    if (interruption.signal.aborted) throw new Error("Interrupted. No changes were kept.", { cause: error });
    throw error;
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

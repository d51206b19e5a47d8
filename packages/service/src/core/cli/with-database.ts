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
  /** For what reads or writes a whole organization in one transaction. */
  exports: pg.Pool;
  connectionString: string;
}

/** A command does one thing at a time; the second connection is for work that reads while it writes. */
const connections = 2;

export interface SessionOptions {
  /** True: creates a database that is missing, and migrates it. Otherwise the command fails on one that is not ready. */
  setUp?: boolean;
}

/**
 * Runs one command against the database: the one of a running service, or one that is started for the command and
 * stopped after it.
 */
export async function withDatabase<T>(
  work: (session: Session) => Promise<T>,
  { setUp = false }: SessionOptions = {},
): Promise<T> {
  const config = readConfig(process.env);
  const server = await useDatabaseServer(config, { mayCreate: setUp });
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

/** An empty, foreign or older database may be a mistyped DATABASE_URL, or one whose instances still run. */
async function requireSchema(pool: pg.Pool): Promise<void> {
  const refusal = schemaRefusal(await schemaState(pool));
  if (refusal !== undefined) throw new OperatorError(refusal);
}

/** Runs work that Ctrl-C and SIGTERM end early; it then cleans up behind itself, and the command ends with 1. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = (): void => {
    // Whoever asks twice does not want to wait.
    if (interruption.signal.aborted) process.exit(1);
    interruption.abort();
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  try {
    return await work(interruption.signal);
  } catch (error) {
    if (interruption.signal.aborted)
      throw new Error("Interrupted. Nothing was left behind.", { cause: error });
    throw error;
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

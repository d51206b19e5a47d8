import pg from "pg";
import { primaryOf } from "../hosts.js";
import { clientWithSettings, readableResults } from "../pooler-client.js";
import { lastOfFirstRelease } from "./ledger.js";
import { OperatorError } from "../../operator-error.js";
import { defaultLockTimeout, retryWhileLocked } from "./lock-timeout.js";

/**
 * The lock for all schema changes. Processes poll for it instead of waiting in the database: a waiting statement holds
 * a snapshot, and building an index concurrently waits for all older snapshots, so the two would deadlock.
 *
 * Release 1.0.0 waits in the database for another lock at every start. It is taken only for migrations that 1.0.0
 * could apply too. The lock numbers are arbitrary, but used only by Gatehouse.
 */
const lockOfFirstRelease = 7_142_260_301;
const schemaLock = 7_142_260_304;

const connectTimeoutMs = 10_000;

function schemaIsLocked(): OperatorError {
  return new OperatorError("another process is changing the schema of this database", { retry: "soon" });
}

/** For commands that hold a session lock. */
export const throughPooler =
  "This command needs a direct connection to PostgreSQL, but DATABASE_URL leads to a connection pooler such as PgBouncer. Nothing was changed. Set DATABASE_URL to the address of the server itself, and unset GATEHOUSE_DATABASE_POOLER.";

const SchemaClient = clientWithSettings(pg.Client, readableResults);

/**
 * Connects separately to the server that accepts writes. A statement sets the lock timeout, because a pooler would
 * reject it as a connection parameter. The role's statement timeout is lifted for the work.
 */
export async function connectToSchema(
  connectionString: string,
  applicationName: string,
  { lockWaitMs }: { lockWaitMs?: number } = {},
): Promise<pg.Client> {
  const client = new SchemaClient({
    connectionString: await primaryOf(connectionString),
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  });
  // The running statement reports a lost server; without a listener the event would end the process.
  client.on("error", () => undefined);
  await client.connect();
  if (lockWaitMs !== undefined)
    await client.query(`set lock_timeout = ${lockWaitMs}; set statement_timeout = 0`);
  return client;
}

/** A lock of the client's transaction. It works through a pooler and is always released. */
export async function lockForMigration(client: pg.Client, number: number): Promise<void> {
  const lock = number <= lastOfFirstRelease ? lockOfFirstRelease : schemaLock;
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_xact_lock($1) as taken", [
    lock,
  ]);
  if (!rows[0]?.taken) throw schemaIsLocked();
}

/**
 * A pooler answers the connection itself, so the process ID differs from the one that runs the statements. A session
 * lock would stay on a connection that others use.
 */
async function refusePooler(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  // node-postgres has it from the handshake, but its types lack it.
  if (rows[0]?.pid !== (client as unknown as { processID: number }).processID)
    throw new OperatorError(throughPooler);
}

/** For work in several transactions. The lock belongs to the session, so a pooler is rejected. */
export async function holdingSchemaLock<T>(
  connectionString: string,
  applicationName: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectToSchema(connectionString, applicationName, {
    lockWaitMs: defaultLockTimeout.totalMs,
  });
  try {
    await refusePooler(client);
    await retryWhileLocked("Nothing was changed", defaultLockTimeout, async () => {
      const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
        schemaLock,
      ]);
      if (!rows[0]?.taken) throw schemaIsLocked();
    });
    return await work(client);
  } finally {
    await client.end();
  }
}

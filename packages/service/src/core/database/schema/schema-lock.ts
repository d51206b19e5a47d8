import pg from "pg";
import { primaryOf } from "../hosts.js";
import { clientWithSettings, readableResults } from "../pooler-client.js";
import { lastOfFirstRelease } from "./ledger.js";
import { OperatorError } from "../../operator-error.js";
import { defaultPatience, withPatience } from "./patience.js";

/**
 * Whatever changes the schema does it one at a time. Nobody waits inside the database for this lock, but asks again
 * and again: a statement that waits holds a snapshot, and an index that is built concurrently waits for all snapshots
 * that are older than itself, so that the two would wait for each other.
 *
 * Release 1.0.0 does wait inside, at every start and for a lock of its own. That one is taken for the migrations which
 * 1.0.0 could apply as well, and for nothing else. Any numbers will do, as long as they are ours alone.
 */
const lockOfFirstRelease = 7_142_260_301;
const schemaLock = 7_142_260_304;

const connectTimeoutMs = 10_000;

function schemaIsLocked(): OperatorError {
  return new OperatorError("another process is changing the schema of this database", { retry: "soon" });
}

/** For commands that hold a session lock. */
export const throughPooler =
  "This command needs a direct connection to PostgreSQL, and this one leads through a connection pooler such as PgBouncer. Nothing was changed. Set DATABASE_URL to the address of the server itself, and leave out GATEHOUSE_DATABASE_POOLER.";

const SchemaClient = clientWithSettings(pg.Client, readableResults);

/**
 * On a connection of its own, to the server that accepts writes. How long it waits for locks is said by a statement,
 * because a pooler would refuse it as a parameter of the connection; then its work may take as long as it takes, whatever the
 * role is allowed.
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
  // A server that goes away is reported by the statement in flight; without a listener it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  if (lockWaitMs !== undefined)
    await client.query(`set lock_timeout = ${lockWaitMs}; set statement_timeout = 0`);
  return client;
}

/** For the transaction that the client is in: it works through a pooler as well, and ends whatever happens. */
export async function lockForMigration(client: pg.Client, number: number): Promise<void> {
  const lock = number <= lastOfFirstRelease ? lockOfFirstRelease : schemaLock;
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_xact_lock($1) as taken", [
    lock,
  ]);
  if (!rows[0]?.taken) throw schemaIsLocked();
}

/**
 * A pooler answers the connection itself, so the process that it names is not the one that runs the statements. It would keep the
 * lock of a session on a connection that others use.
 */
async function refusePooler(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  // node-postgres has it from the handshake; its types leave it out.
  if (rows[0]?.pid !== (client as unknown as { processID: number }).processID)
    throw new OperatorError(throughPooler);
}

/** For work in several transactions, so the lock belongs to the session; a pooler is refused. */
export async function holdingSchemaLock<T>(
  connectionString: string,
  applicationName: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connectToSchema(connectionString, applicationName, {
    lockWaitMs: defaultPatience.totalMs,
  });
  try {
    await refusePooler(client);
    await withPatience("Nothing was changed", defaultPatience, async () => {
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

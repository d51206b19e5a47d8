import pg from "pg";
import { primaryOf } from "./hosts.js";

/** Any number will do, as long as it is ours alone. */
const schemaLock = 7_142_260_301;
const connectTimeoutMs = 10_000;
const lockTimeoutMs = 120_000;

/** Whatever changes the schema does it here, on a connection of its own: one at a time, the others wait. */
export async function holdingSchemaLock<T>(
  connectionString: string,
  applicationName: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: await primaryOf(connectionString),
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    lock_timeout: lockTimeoutMs,
  });
  // A server that goes away is reported by the statement in flight; without a listener it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [schemaLock]);
    return await work(client);
  } finally {
    await client.end();
  }
}

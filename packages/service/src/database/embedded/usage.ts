import { Client } from "pg";
import { DATABASE, ROLE, type Cluster } from "./cluster.js";
import { LISTEN_ADDRESS } from "./settings.js";

/** The number of the advisory lock that every process holds, shared, as long as it uses the server. */
const USAGE_LOCK = 7_165_283_041;
const CONNECT_TIMEOUT_MS = 10_000;
/** Someone who holds the lock alone is stopping the server, which ends this wait with the connection. */
const LOCK_TIMEOUT_MS = 90_000;
const QUERY_TIMEOUT_MS = 100_000;

/** This process's mark on the server: "I use it". A process that crashes loses it together with its connection. */
export interface Usage {
  /** Settles when the connection is gone, for whatever reason. */
  lost: Promise<Error | undefined>;
  /** Gives up the mark and says whether nobody else has one; if so, newcomers wait until the connection ends. */
  giveUp(): Promise<boolean>;
  close(): Promise<void>;
}

/** The driver has these two, its type declarations do not. */
type ReferencedClient = Client & { ref(): void; unref(): void };

export function connectionString(cluster: Cluster, port: number): string {
  return `postgresql://${ROLE}:${cluster.password}@${LISTEN_ADDRESS}:${port}/${DATABASE}`;
}

export async function openUsage(cluster: Cluster, port: number): Promise<Usage> {
  const client = new Client({
    connectionString: connectionString(cluster, port),
    application_name: "gatehouse usage",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    keepAlive: true,
  }) as ReferencedClient;
  const lost = new Promise<Error | undefined>((resolve) => {
    // Without this listener a server that goes away would end our process.
    client.on("error", resolve);
    client.on("end", () => resolve(undefined));
  });
  try {
    await client.connect();
    await assertSameCluster(client, cluster);
    await client.query("select pg_advisory_lock_shared($1)", [USAGE_LOCK]);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  // The mark alone is no reason to keep a process alive that has nothing left to do.
  client.unref();
  return {
    lost,
    giveUp: async () => {
      client.ref();
      await client.query("select pg_advisory_unlock_shared($1)", [USAGE_LOCK]);
      const { rows } = await client.query<{ alone: boolean }>("select pg_try_advisory_lock($1) as alone", [
        USAGE_LOCK,
      ]);
      return rows[0]?.alone === true;
    },
    close: () => client.end().catch(() => {}),
  };
}

async function assertSameCluster(client: Client, cluster: Cluster): Promise<void> {
  const { rows } = await client.query<{ directory: string }>(
    "select current_setting('data_directory') as directory",
  );
  if (rows[0]?.directory === cluster.directory) return;
  throw new Error(
    `A server on another folder (${rows[0]?.directory}) answers in place of the one on ${cluster.directory}.`,
  );
}

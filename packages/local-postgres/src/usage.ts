import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Cluster } from "./cluster.js";
import { listenAddress } from "./settings.js";

/** The number of the advisory lock that every process shares as long as it uses the server. */
const usageLock = 7_165_283_041;
const connectTimeoutMs = 10_000;
/** Whoever holds the lock alone is stopping the server, and that ends this wait together with the connection. */
const lockTimeoutMs = 90_000;
const answerTimeoutMs = 100_000;
const closeTimeoutMs = 2_000;
/** The code of the error about a server that is not ours. */
export const foreignServer = "FOREIGN_SERVER";

/** This process's mark on the server: "I use it". A process that crashes loses it together with its connection. */
export interface Usage {
  /** Settles when the connection is gone, whatever the reason. */
  lost: Promise<Error | undefined>;
  /** Gives up the mark and says whether nobody else has one. If so, newcomers wait until this connection ends. */
  giveUp(): Promise<boolean>;
  close(): Promise<void>;
}

/** The driver has these two, its type declarations do not. */
type ReferencedClient = Client & { ref(): void; unref(): void };

/** The product's role owns everything, and its database has the same name. */
export function connectionString({ product, password }: Cluster, port: number): string {
  return `postgresql://${product.identifier}:${password}@${listenAddress}:${port}/${product.identifier}`;
}

export async function openUsage(cluster: Cluster, port: number): Promise<Usage> {
  const client = new Client({
    connectionString: connectionString(cluster, port),
    application_name: `${cluster.product.identifier} usage`,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    lock_timeout: lockTimeoutMs,
    keepAlive: true,
  }) as ReferencedClient;
  const lost = new Promise<Error | undefined>((resolve) => {
    // Without a listener for errors, a server that goes away would take our process with it.
    client.on("error", resolve);
    client.on("end", () => resolve(undefined));
  });
  // Ending takes a word from the server, and a server that hangs gives none.
  const close = () =>
    Promise.race([client.end().catch(() => {}), sleep(closeTimeoutMs, undefined, { ref: false })]);
  try {
    await client.connect();
    await assertSameCluster(client, cluster);
    await client.query("select pg_advisory_lock_shared($1)", [usageLock]);
  } catch (error) {
    await close();
    throw error;
  }
  // The mark alone is no reason to keep alive a process that has nothing left to do.
  client.unref();
  const giveUp = async () => {
    client.ref();
    await client.query("select pg_advisory_unlock_shared($1)", [usageLock]);
    const { rows } = await client.query<{ alone: boolean }>("select pg_try_advisory_lock($1) as alone", [
      usageLock,
    ]);
    return rows[0]?.alone === true;
  };
  return { lost, giveUp, close };
}

/** A port that a dead server left behind may have become another server's. */
async function assertSameCluster(client: Client, cluster: Cluster): Promise<void> {
  const { rows } = await client.query<{ directory: string }>(
    "select current_setting('data_directory') as directory",
  );
  const directory = rows[0]?.directory;
  if (directory === cluster.directory) return;
  const problem = `A server on the folder ${directory} answers in place of the one on ${cluster.directory}.`;
  throw Object.assign(new Error(problem), { code: foreignServer });
}

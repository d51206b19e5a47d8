import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Cluster } from "./cluster.js";
import { findPostmaster, stopPostmaster } from "./postmaster.js";
import { listenAddress } from "./settings.js";
import { awaitSettled, ensurePostmaster, type StartOptions } from "./start-postmaster.js";

/** The advisory lock that every process shares while it uses the server. */
const usageLock = 7_165_283_041;
const connectTimeoutMs = 10_000;
/** A process that holds the lock exclusively is stopping the server, which also ends this connection. */
const lockTimeoutMs = 90_000;
const answerTimeoutMs = 100_000;
const closeTimeoutMs = 2_000;
/** The error code for a server on another data folder. */
const foreignServer = "FOREIGN_SERVER";

/** A connection that shares the usage lock. A process that crashes loses both. */
export interface Usage {
  /** Resolves when the connection is lost for any reason. */
  lost: Promise<Error | undefined>;
  /** Releases the shared lock. True: this was the last user, and new ones wait until this connection ends. */
  release(): Promise<boolean>;
  close(): Promise<void>;
}

/** The type declarations of the driver lack these two. */
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
    // Without this listener a lost server would end our process.
    client.on("error", resolve);
    client.on("end", () => resolve(undefined));
  });
  // A server that hangs does not answer, so this has a timeout.
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
  // This connection must not keep an idle process alive.
  client.unref();
  const release = async () => {
    client.ref();
    await client.query("select pg_advisory_unlock_shared($1)", [usageLock]);
    const { rows } = await client.query<{ alone: boolean }>("select pg_try_advisory_lock($1) as alone", [
      usageLock,
    ]);
    return rows[0]?.alone === true;
  };
  return { lost, release, close };
}

/** Another server may have taken the port of a dead one. */
async function assertSameCluster(client: Client, cluster: Cluster): Promise<void> {
  const { rows } = await client.query<{ directory: string }>(
    "select current_setting('data_directory') as directory",
  );
  const directory = rows[0]?.directory;
  if (directory === cluster.directory) return;
  const problem = `A server on the folder ${directory} answers in place of the one on ${cluster.directory}.`;
  throw Object.assign(new Error(problem), { code: foreignServer });
}

/** How long to retry while servers start and stop, for instance one that another process is stopping. */
const attachTimeoutMs = 240_000;
const attachRetryIntervalMs = 50;

/** Starts or finds a ready server and shares its usage lock. Starts over if the server stops in between. */
export async function attach(
  cluster: Cluster,
  options: StartOptions,
): Promise<{ usage: Usage; port: number }> {
  const deadline = performance.now() + attachTimeoutMs;
  for (;;) {
    const { port } = await ensurePostmaster(cluster, options);
    if (options.requiredPort !== undefined && port !== options.requiredPort) {
      throw new Error(`another process has started it on port ${port}, as ${options.requiredPort} was taken`);
    }
    try {
      return { usage: await openUsage(cluster, port), port };
    } catch (error) {
      if (performance.now() >= deadline || !isTemporary(error as NodeJS.ErrnoException)) throw error;
      await sleep(attachRetryIntervalMs, undefined, { ...(options.signal && { signal: options.signal }) });
    }
  }
}

/** Broken connections are temporary while a server starts or stops. An error answer (28: password) is not. */
function isTemporary({ code = "" }: NodeJS.ErrnoException): boolean {
  if (code === foreignServer) return false;
  const isAnswer = /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("E");
  const isUnavailable = code.startsWith("57P") || code.startsWith("08") || code === "53300";
  return !isAnswer || isUnavailable;
}

/** Releases the usage lock, and stops the server if no other process uses it. */
export async function detach(
  cluster: Cluster,
  usage: Usage | undefined,
  log: (message: string) => void,
): Promise<void> {
  if (usage !== undefined && (await releaseAndStop(cluster, usage, log))) return;
  // The connection was lost, for instance by a crash of the server. A new one shows whether we are the last user.
  const postmaster = await awaitSettled(cluster);
  if (postmaster === undefined) return;
  const reopened = await openUsage(cluster, postmaster.port).catch(() => undefined);
  if (reopened !== undefined && (await releaseAndStop(cluster, reopened, log))) return;
  log(
    `PostgreSQL (process ${postmaster.pid}) does not accept connections and is left running. The next start uses it.`,
  );
}

/** Returns false if the connection was lost. */
async function releaseAndStop(
  cluster: Cluster,
  usage: Usage,
  log: (message: string) => void,
): Promise<boolean> {
  try {
    const alone = await usage.release().catch(() => undefined);
    if (alone === undefined) return false;
    // The exclusive lock is held until the server is down, so that no new user connects to a server that is stopping.
    const postmaster = alone ? await findPostmaster(cluster.directory) : undefined;
    if (postmaster !== undefined) await stopPostmaster(cluster, postmaster.pid, log);
    return true;
  } finally {
    await usage.close();
  }
}

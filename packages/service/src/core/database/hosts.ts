import { callbackify } from "node:util";
import pg from "pg";

/**
 * A DATABASE_URL may list several servers, `postgres://user:password@first:5432,second:5432/name`: a primary and its
 * standbys. node-postgres accepts one, so this searches for the one that accepts writes whenever a connection fails or
 * reaches a standby.
 */
export interface Primary {
  /** The connection string of the last server that accepted writes. */
  readonly connectionString: string;
  /** False until one was found: the first in the list may be a former primary, even if it accepts writes. */
  readonly isKnown: boolean;
  /** Queries all servers. If none accepts writes, the current one is kept. */
  find(): Promise<boolean>;
  /** Whether a new connection leads to a primary that has not been replaced. */
  isBehind(client: pg.Client): Promise<boolean>;
}

const probeTimeoutMs = 2_000;
/**
 * At the start, no timeline is known, so all servers must answer: a slow one may be the newer primary. A stopped
 * server refuses at once, so only an unreachable machine costs this much.
 */
const firstProbeTimeoutMs = 8_000;
/** Shorter than the connect timeout of the pools, to leave time for another host. */
const attemptTimeoutMs = 1_500;

export function splitHosts(connectionString: string): string[] {
  const [before] = /^postgres(?:ql)?:\/\/(?:[^@/]*@)?/.exec(connectionString) ?? [];
  if (before === undefined) return [connectionString];
  const [hosts = ""] = connectionString.slice(before.length).split(/[/?]/, 1);
  const after = connectionString.slice(before.length + hosts.length);
  return hosts.split(",").map((host) => `${before}${host}${after}`);
}

export function trackPrimary(connectionString: string): Primary {
  const servers = splitHosts(connectionString);
  let current = servers[0] as string;
  let newestTimeline = 0;
  let search: Promise<boolean> | undefined;

  /**
   * Every promotion starts a new timeline. A server on an older one is a former primary, and its writes would be lost.
   */
  function isNewest(timeline: number | undefined): timeline is number {
    if (timeline === undefined || timeline < newestTimeline) return false;
    newestTimeline = timeline;
    return true;
  }

  async function findNow(): Promise<boolean> {
    const timeoutMs = newestTimeline > 0 ? probeTimeoutMs : firstProbeTimeoutMs;
    const timelines = await Promise.all(servers.map((server) => probe(server, timeoutMs)));
    const newest = Math.max(...timelines.map((timeline) => timeline ?? 0));
    if (newest === 0 || !isNewest(newest)) return false;
    current = servers[timelines.indexOf(newest)] as string;
    return true;
  }

  return {
    get connectionString() {
      return current;
    },
    get isKnown() {
      return newestTimeline > 0;
    },
    // If a server fails, many connections fail at once. They share one search.
    find: () => (search ??= findNow().finally(() => (search = undefined))),
    isBehind: async (client) => isNewest(await timelineOf(client)),
  };
}

/** For a single connection: the connection string of the server that accepts writes now. */
export async function primaryOf(connectionString: string): Promise<string> {
  const primary = trackPrimary(connectionString);
  if (splitHosts(connectionString).length > 1) await primary.find();
  return primary.connectionString;
}

/** The timeline of a server that accepts writes. Undefined: it does not, or does not answer. */
async function probe(connectionString: string, timeoutMs: number): Promise<number | undefined> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  // The server may go down during the query.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await timelineOf(client);
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function timelineOf(client: pg.Client): Promise<number | undefined> {
  // The name of a WAL file begins with the timeline. A standby cannot return it.
  const { rows } = await client.query<{ segment: string | null }>(
    "select case when pg_is_in_recovery() then null else pg_walfile_name(pg_current_wal_lsn()) end as segment",
  );
  const segment = rows[0]?.segment;
  return segment ? Number.parseInt(segment.slice(0, 8), 16) : undefined;
}

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/**
 * A client class for a pool: each new connection goes to the primary, or fails if that server is not the primary any
 * more.
 */
export function clientOfPrimary(primary: Primary): typeof pg.Client {
  return class extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({
        ...config,
        connectionString: primary.connectionString,
        connectionTimeoutMillis: attemptTimeoutMs,
      });
      // If the server goes down during the check, the client also emits 'error', and the pool does not listen yet. Without
      // a listener, that would end the process.
      this.on("error", () => undefined);
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: ConnectCallback): void;
    override connect(callback?: ConnectCallback): Promise<pg.Client> | void {
      const connected = this.#connectToPrimary();
      if (!callback) return connected;
      // pg.Pool passes a callback.
      callbackify(() => connected)(callback as (error: Error | null, client: pg.Client) => void);
    }

    async #connectToPrimary(): Promise<pg.Client> {
      await super.connect();
      if (await primary.isBehind(this)) return this;
      await this.end();
      throw Object.assign(new Error("The database server is a standby, or was replaced by another"), {
        code: "25006",
      });
    }
  };
}

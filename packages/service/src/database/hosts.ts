import { callbackify } from "node:util";
import pg from "pg";

/**
 * A DATABASE_URL may name several servers, `postgres://user:password@first:5432,second:5432/name`: a primary and its
 * standbys. node-postgres takes one, so the one that accepts writes is looked for here. When connecting fails or
 * arrives at a standby, the others are asked, and the next connection goes to whichever is the primary by then.
 */
export interface Primary {
  /** The connection string of the server that was last seen to accept writes. */
  readonly connectionString: string;
  /** Asks the servers in turn; keeps the present one if none accepts writes. */
  find(): Promise<void>;
}

const probeTimeoutMs = 2_000;

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
  let search: Promise<void> | undefined;

  async function findNow(): Promise<void> {
    for (const server of servers) {
      if (!(await acceptsWrites(server))) continue;
      current = server;
      return;
    }
  }

  return {
    get connectionString() {
      return current;
    },
    // Many connections fail at once when a server goes; one search serves them all.
    find: () => (search ??= findNow().finally(() => (search = undefined))),
  };
}

/** For a single connection: the server among those named that accepts writes now. */
export async function primaryOf(connectionString: string): Promise<string> {
  const primary = trackPrimary(connectionString);
  if (splitHosts(connectionString).length > 1) await primary.find();
  return primary.connectionString;
}

async function acceptsWrites(connectionString: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  });
  // The server may go while it is being asked.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await isPrimary(client);
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function isPrimary(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
  return rows[0]?.standby === false;
}

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** A client class for a pool: each new connection goes to the primary, and a failed one starts the search for it. */
export function clientOfPrimary(primary: Primary): typeof pg.Client {
  return class extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionString: primary.connectionString });
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: ConnectCallback): void;
    override connect(callback?: ConnectCallback): Promise<pg.Client> | void {
      const connected = this.#connectToPrimary();
      if (!callback) return connected;
      // The pool still speaks in callbacks, and has its own way of waiting.
      callbackify(() => connected)(callback as (error: Error | null, client: pg.Client) => void);
    }

    async #connectToPrimary(): Promise<pg.Client> {
      try {
        await super.connect();
        if (await isPrimary(this)) return this;
        await this.end();
        throw Object.assign(new Error("The database server is a standby"), { code: "25006" });
      } catch (error) {
        await primary.find();
        throw error;
      }
    }
  };
}

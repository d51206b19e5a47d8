import pg from "pg";
import { clientOfPrimary, splitHosts, trackPrimary, type Primary } from "./hosts.js";
import {
  clientForPooler,
  type Patience,
  clientWithSettings,
  readableResults,
  sessionSettings,
  type Settings,
} from "./pooler-client.js";
import { PrimaryPool } from "./primary-pool.js";

/**
 * Five pools on one database, so that nobody waits behind the slowest of another kind. `work` stores imports and leads.
 * `reads` answers the reads of the published interface and `console` all of the console's: however many and however slow
 * they are, they take no connection from what is stored. `gate` runs the key and limit checks that every request starts
 * with: a service full of imports still answers 401 and 429 at once. It does not wait for the disk (synchronous_commit
 * off), because a hit of a rate limit that a power cut loses costs nobody a record. `exports` takes whole organizations
 * out, each from one snapshot that it may hold for long.
 */
export interface Database extends Record<PoolName, pg.Pool> {
  close(): Promise<void>;
}

export const poolNames = ["work", "reads", "console", "gate", "exports"] as const;
export type PoolName = (typeof poolNames)[number];

export interface DatabaseOptions {
  connectionString: string;
  workConnections: number;
  /** It is reached through a pooler that keeps no sessions. */
  isBehindPooler?: boolean;
  /** How long a request waits for a connection, be it a new one or one that others use. */
  connectTimeoutMs?: number;
  /** Connections that break while idle are reported here; the pool replaces them by itself. */
  onConnectionError?: (error: Error) => void;
  /** Sees each pool before it is used. */
  observe?: ((pool: pg.Pool) => void) | undefined;
}

const gateConnections = 4;
/** None of them is open unless an organization is exported. */
export const exportConnections = 2;
/** A page of the console asks for several things at once, and one who reads slowly leaves some to the others. */
const fewestReadConnections = 4;
const readConnections = (workConnections: number): number =>
  Math.max(fewestReadConnections, Math.floor(workConnections / 2));
const defaultConnectTimeoutMs = 5_000;
const idleTimeoutMs = 30_000;
const lockTimeoutMs = 15_000;
const idleInTransactionTimeoutMs = 30_000;
/** While an export waits for its reader, who is cut off long before this. */
const idleInExportTimeoutMs = 10 * 60_000;
/**
 * How long a statement may take. Those of the gate are small, and whoever waits for them has not begun yet. A read that
 * takes longer than this holds up the next; it can be asked for again with less. An export counts everything first, and
 * what is imported from one is checked as a whole.
 */
const statementTimeoutMs: Record<PoolName, number> = {
  work: 30_000,
  reads: 5_000,
  console: 10_000,
  gate: 10_000,
  exports: 15 * 60_000,
};
/**
 * For the gate. Left to itself, PostgreSQL 15 plans its statements anew for each request, which takes three times as long
 * as running them; 18 does not. Not for rows that a cluster distributes: which machine has them is known by the values, and
 * Citus refuses to plan some reads without them.
 */
const plannedOnce = { plan_cache_mode: "force_generic_plan" };
/** The client's own patience goes beyond it by this, for a server that no longer answers at all. */
const moreForAnswerMs = 5_000;

const jsonOid = 114;
const dateOid = 1082;
const bigintOid = 20;

/** json stays the text it is, so that metadata keeps its exact spelling; a date stays a date without a time. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === jsonOid || oid === dateOid) return (text: string) => text;
    if (oid === bigintOid) return Number;
    return pg.types.getTypeParser(oid, format as "text");
  },
} as pg.CustomTypesConfig;

export function openDatabase(options: DatabaseOptions): Database {
  const { connectionString } = options;
  // One server is connected to directly; of several, the one that accepts writes.
  const isOneOfSeveral = splitHosts(connectionString).length > 1;
  const primary = isOneOfSeveral ? trackPrimary(connectionString) : undefined;
  let isClosing = false;
  // A server that ends with the service may be quicker than the goodbyes of the pools, for which nobody waits.
  const onConnectionError = (error: Error): void => {
    if (!isClosing) options.onConnectionError?.(error);
  };
  const open = (name: PoolName, own: pg.PoolConfig, settings: Settings = {}): pg.Pool =>
    openPool({ ...options, onConnectionError }, primary, { timeouts: patience(name), settings }, own);
  const reading = readConnections(options.workConnections);
  const pools: Record<PoolName, pg.Pool> = {
    work: open("work", { application_name: "gatehouse", max: options.workConnections }),
    reads: open("reads", { application_name: "gatehouse reads", max: reading }),
    console: open("console", { application_name: "gatehouse console", max: reading }),
    gate: open(
      "gate",
      { application_name: "gatehouse gate", max: gateConnections },
      { synchronous_commit: "off", ...plannedOnce },
    ),
    exports: open("exports", { application_name: "gatehouse exports", max: exportConnections }),
  };
  return {
    ...pools,
    async close() {
      isClosing = true;
      await Promise.all(poolNames.map((name) => pools[name].end()));
    },
  };
}

function patience(name: PoolName): Patience {
  const timeoutMs = statementTimeoutMs[name];
  return {
    statement_timeout: timeoutMs,
    lock_timeout: Math.min(timeoutMs, lockTimeoutMs),
    idle_in_transaction_session_timeout:
      name === "exports" ? idleInExportTimeoutMs : idleInTransactionTimeoutMs,
  };
}

function openPool(
  {
    connectionString,
    isBehindPooler,
    connectTimeoutMs = defaultConnectTimeoutMs,
    onConnectionError,
    observe,
  }: DatabaseOptions,
  primary: Primary | undefined,
  { timeouts, settings }: { timeouts: Patience; settings: Settings },
  own: pg.PoolConfig,
): pg.Pool {
  const Client = primary === undefined ? pg.Client : clientOfPrimary(primary);
  const config = {
    ...own,
    ...(isBehindPooler
      ? { Client: clientForPooler(clientWithSettings(Client, readableResults), timeouts) }
      : { ...timeouts, Client: clientWithSettings(Client, { ...sessionSettings, ...settings }) }),
    query_timeout: timeouts.statement_timeout + moreForAnswerMs,
    types,
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
  };
  const pool =
    primary === undefined ? new pg.Pool({ ...config, connectionString }) : new PrimaryPool(primary, config);
  // A terminated backend emits 'error' on its idle client; without a listener that would end the process.
  pool.on("error", (error) => onConnectionError?.(error));
  // The pool listens to idle clients only. One that breaks while it is in use tells its user by a rejected query, but
  // it emits 'error' as well.
  pool.on("connect", (client) => client.on("error", () => {}));
  observe?.(pool);
  return pool;
}

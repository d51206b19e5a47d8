import pg from "pg";
import { clientOfPrimary, splitHosts, trackPrimary, type Primary } from "./hosts.js";
import {
  clientForPooler,
  type Timeouts,
  clientWithSettings,
  readableResults,
  sessionSettings,
  type Settings,
} from "./pooler-client.js";
import { PrimaryPool } from "./primary-pool.js";

/**
 * Five pools on one database, so that slow work of one kind does not delay the others. `work` stores imports and leads.
 * `reads` serves the read endpoints of the API, `console` the console. `gate` checks keys and rate limits, so that a
 * service that is busy with imports still answers 401 and 429 at once. It does not wait for the disk (synchronous_commit
 * off), because a power cut may lose rate limit counts, but no records. `exports` reads whole organizations from one
 * snapshot, which may take long.
 */
export interface Database extends Record<PoolName, pg.Pool> {
  close(): Promise<void>;
}

export const poolNames = ["work", "reads", "console", "gate", "exports"] as const;
export type PoolName = (typeof poolNames)[number];

export interface DatabaseOptions {
  connectionString: string;
  workConnections: number;
  /** The connection leads through a pooler in transaction mode. */
  isBehindPooler?: boolean;
  /** How long a request waits for a new or a busy connection. */
  connectTimeoutMs?: number;
  /** Called when an idle connection breaks. The pool replaces it. */
  onConnectionError?: (error: Error) => void;
  /** Called with each pool before it is used. */
  observe?: ((pool: pg.Pool) => void) | undefined;
}

const gateConnections = 4;
/** They are open only while an organization is exported. */
export const exportConnections = 2;
/** A page of the console sends several requests at once. */
const fewestReadConnections = 4;
const readConnections = (workConnections: number): number =>
  Math.max(fewestReadConnections, Math.floor(workConnections / 2));
const defaultConnectTimeoutMs = 5_000;
const idleTimeoutMs = 30_000;
const lockTimeoutMs = 15_000;
const idleInTransactionTimeoutMs = 30_000;
/** While an export waits for a slow reader. The reader is disconnected long before this. */
const idleInExportTimeoutMs = 10 * 60_000;
/** Statement timeouts. An export counts all rows first, and the import of an export checks all data at once. */
const statementTimeoutMs: Record<PoolName, number> = {
  work: 30_000,
  reads: 5_000,
  console: 10_000,
  gate: 10_000,
  exports: 15 * 60_000,
};
/**
 * For the gate. PostgreSQL 15 would plan its statements for each request, which takes three times as long as running them.
 * Not for distributed tables: Citus needs the values to find the node, and cannot plan some reads without them.
 */
const plannedOnce = { plan_cache_mode: "force_generic_plan" };
/** The client waits this much longer than the statement timeout, in case the server does not answer at all. */
const moreForAnswerMs = 5_000;

const jsonOid = 114;
const dateOid = 1082;
const bigintOid = 20;

/** json stays text, so that metadata keeps its exact spelling. A date stays a date without a time. */
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
  // The embedded server may stop before the pools have closed their connections.
  const onConnectionError = (error: Error): void => {
    if (!isClosing) options.onConnectionError?.(error);
  };
  const open = (name: PoolName, own: pg.PoolConfig, settings: Settings = {}): pg.Pool =>
    openPool({ ...options, onConnectionError }, primary, { timeouts: timeoutsOf(name), settings }, own);
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

function timeoutsOf(name: PoolName): Timeouts {
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
  { timeouts, settings }: { timeouts: Timeouts; settings: Settings },
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

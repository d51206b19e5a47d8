import type pg from "pg";
import { nowMs } from "../clock.js";
import type { AnsweredRequest } from "./answered-request.js";

/**
 * The last use of each key, and its requests per hour. Usage is collected in memory and written every few seconds, so no
 * request waits for a write. A crash loses the usage of one interval.
 */
export interface KeyUsage {
  note(request: AnsweredRequest): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** A line of the request log. */
export interface RequestLine {
  organization_id: string;
  api_key_id: string;
  operation: string;
}

/** Collects a line per request. The lines are written in the same statement as the counts. */
export interface RequestObserver {
  /** The SQL that inserts the lines. `lines` is an SQL expression with the lines as JSON. */
  insert(lines: string): string;
  /** False: the buffer is full. */
  add(request: AnsweredRequest): boolean;
  /** The number of lines to write in this tick. */
  beginTick(): number;
  /** Removes and returns the oldest lines: at most `count`, and at most as many as one statement writes. */
  take(count: number): RequestLine[];
  /** Puts lines back that could not be written. Returns those that do not fit into the buffer. */
  putBack(lines: readonly RequestLine[]): readonly RequestLine[];
}

export interface KeyUsageOptions {
  /** Undefined: requests are only counted. */
  observer?: RequestObserver | undefined;
  onError: (error: unknown) => void;
}

export const flushIntervalMs = 5_000;
const maxPendingEntries = 20_000;

interface Pending {
  organization_id: string;
  api_key_id: string;
  operation: string;
  hour: string;
  accepted: number;
  limited: number;
  refused: number;
  not_logged: number;
  used_at: string;
  address: string;
}

const writeUsage = (observer: RequestObserver | undefined): string => `
  with noted as (
    select * from json_to_recordset($1) as entry (
      organization_id uuid, api_key_id uuid, operation text, hour timestamptz,
      accepted bigint, limited bigint, refused bigint, not_logged bigint, used_at timestamptz, address text
    )
  ), latest as (
    select distinct on (organization_id, api_key_id) organization_id, api_key_id, used_at, address
    from noted order by organization_id, api_key_id, used_at desc
  ), locked as materialized (
    -- A fixed order, so that two instances cannot deadlock. Keys that are being revoked or rotated are skipped.
    select key.organization_id, key.id, latest.used_at, latest.address
    from latest
    join api_keys as key on key.organization_id = latest.organization_id and key.id = latest.api_key_id
    where key.last_used_at is null or key.last_used_at < latest.used_at
    order by key.organization_id, key.id
    for no key update of key skip locked
  ), last_used as (
    update api_keys as key set last_used_at = locked.used_at, last_used_address = locked.address
    from locked
    where key.organization_id = locked.organization_id and key.id = locked.id
  )${observer ? `, observed as (${observer.insert("$2::json")})` : ""}
  insert into api_key_usage as stored (
    organization_id, api_key_id, operation, hour, accepted, limited, refused, not_logged
  )
  select organization_id, api_key_id, operation, hour, accepted, limited, refused, not_logged from noted
  order by organization_id, hour, api_key_id, operation
  on conflict (organization_id, hour, api_key_id, operation) do update
  set accepted = stored.accepted + excluded.accepted, limited = stored.limited + excluded.limited,
      refused = stored.refused + excluded.refused, not_logged = stored.not_logged + excluded.not_logged`;

const counters = ["accepted", "limited", "refused", "not_logged"] as const;

export function collectKeyUsage(pool: pg.Pool, { observer, onError }: KeyUsageOptions): KeyUsage {
  let pending = new Map<string, Pending>();
  const statement = writeUsage(observer);
  let flushed: Promise<void> = Promise.resolve();
  let isFlushing = false;
  const timer = setInterval(() => {
    if (!isFlushing) flush().catch(onError);
  }, flushIntervalMs);
  timer.unref();

  /** One write at a time, on one connection. */
  function flush(): Promise<void> {
    flushed = flushed.catch(() => undefined).then(writeWaiting);
    return flushed;
  }

  /** Writes what is waiting now. Later requests wait for the next tick, or this would never end under load. */
  async function writeWaiting(): Promise<void> {
    isFlushing = true;
    try {
      let left = observer?.beginTick() ?? 0;
      let entries = pending;
      pending = new Map();
      while (left > 0 || entries.size > 0) {
        const group = observer?.take(left) ?? [];
        await write(entries, group);
        left -= group.length;
        entries = new Map();
      }
    } finally {
      isFlushing = false;
    }
  }

  async function write(entries: Map<string, Pending>, group: RequestLine[]): Promise<void> {
    try {
      const counts = JSON.stringify([...entries.values()]);
      await pool.query(statement, observer ? [counts, JSON.stringify(group)] : [counts]);
    } catch (error) {
      for (const [id, entry] of entries) putBack(id, entry);
      for (const { organization_id, api_key_id, operation } of observer?.putBack(group) ?? [])
        entryOf({ organizationId: organization_id, apiKeyId: api_key_id, operation }).not_logged += 1;
      throw error;
    }
  }

  /** Merges counts that could not be written into those collected since. */
  function putBack(id: string, entry: Pending): void {
    const since = pending.get(id);
    if (since) for (const counter of counters) since[counter] += entry[counter];
    else if (pending.size < maxPendingEntries) pending.set(id, entry);
  }

  /** The entry of this key, operation and hour. If the buffer is full, the entry is dropped. */
  function entryOf(use: { organizationId: string; apiKeyId: string; operation: string }): Pending {
    const now = new Date(nowMs()).toISOString();
    const hour = `${now.slice(0, 13)}:00:00.000Z`;
    const id = `${use.apiKeyId} ${use.operation} ${hour}`;
    const known = pending.get(id);
    if (known) {
      known.used_at = now;
      return known;
    }
    const entry: Pending = {
      organization_id: use.organizationId,
      api_key_id: use.apiKeyId,
      operation: use.operation,
      hour,
      accepted: 0,
      limited: 0,
      refused: 0,
      not_logged: 0,
      used_at: now,
      address: "",
    };
    if (pending.size < maxPendingEntries) pending.set(id, entry);
    return entry;
  }

  return {
    note(request) {
      const entry = entryOf(request);
      entry[outcomeOf(request)] += 1;
      entry.address = request.address;
      if (observer?.add(request) === false) entry.not_logged += 1;
    },
    flush,
    async close() {
      clearInterval(timer);
      // An unreachable database must not block the shutdown.
      await flush().catch(onError);
    },
  };
}

/** A request that the client aborted counts as accepted. */
function outcomeOf({ status }: AnsweredRequest): "accepted" | "limited" | "refused" {
  if (status === null || status < 400) return "accepted";
  return status === 429 ? "limited" : "refused";
}

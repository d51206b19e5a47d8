import type pg from "pg";
import { nowMs } from "../clock.js";
import type { AnsweredRequest } from "./answered-request.js";

/**
 * When and from where each key was last used, and how often by hour. It is collected in memory and written in groups, so
 * no request pays a write for it; what a crash loses is at most one interval of statistics.
 */
export interface KeyUsage {
  note(request: AnsweredRequest): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** What is written of a request besides its count. */
export interface RequestLine {
  organization_id: string;
  api_key_id: string;
  operation: string;
}

/** Keeps a line for each request until it is written, in the statement that writes the counts. */
export interface RequestObserver {
  /** An insert of the lines that this SQL expression holds as JSON. */
  insert(lines: string): string;
  /** False: there is no room for it. */
  add(request: AnsweredRequest): boolean;
  /** How many lines the statements of this tick have to write. */
  beginTick(): number;
  /** The oldest, at most so many, and no more than one statement writes. */
  take(count: number): RequestLine[];
  /** Keeps what the database did not take. Returns those for which there is no room any more. */
  putBack(lines: readonly RequestLine[]): readonly RequestLine[];
}

export interface KeyUsageOptions {
  /** Undefined: requests are counted, and no line is written for them. */
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
    -- A fixed order, so that two instances flushing at once cannot deadlock. Whoever changes a key at this moment, by
    -- revoking or rotating it, is not waited for.
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

  /** One write at a time, on one connection, however long the database takes. */
  function flush(): Promise<void> {
    flushed = flushed.catch(() => undefined).then(writeWaiting);
    return flushed;
  }

  /** What is waiting now. What comes meanwhile is for the next tick, or under load there would be no end to it. */
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

  /** What the database did not take is kept for the next time, together with what was noted since. */
  function putBack(id: string, entry: Pending): void {
    const since = pending.get(id);
    if (since) for (const counter of counters) since[counter] += entry[counter];
    else if (pending.size < maxPendingEntries) pending.set(id, entry);
  }

  /** The entry of this key, operation and hour. One for which there is no room is never written. */
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
      // A database that is gone must not keep the service from ending.
      await flush().catch(onError);
    },
  };
}

/** A client that went away was not refused. */
function outcomeOf({ status }: AnsweredRequest): "accepted" | "limited" | "refused" {
  if (status === null || status < 400) return "accepted";
  return status === 429 ? "limited" : "refused";
}

import type { OperationName } from "@gatehouse-parking/contract";
import type pg from "pg";
import { nowMs } from "../clock.js";

/**
 * When and from where each key was last used, and how often by hour. It is collected in memory and written in
 * batches, so no request pays a write for it; what a crash loses is at most one interval of statistics.
 */
export interface KeyUsage {
  note(
    key: { organizationId: string; apiKeyId: string },
    operation: OperationName,
    outcome: "accepted" | "limited",
    address: string,
  ): void;
  flush(): Promise<void>;
  close(): Promise<void>;
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
  used_at: string;
  address: string;
}

const writeUsage = `
  with noted as (
    select * from json_to_recordset($1) as entry (
      organization_id uuid, api_key_id uuid, operation text, hour timestamptz,
      accepted bigint, limited bigint, used_at timestamptz, address text
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
  )
  insert into api_key_usage as stored (organization_id, api_key_id, operation, hour, accepted, limited)
  select organization_id, api_key_id, operation, hour, accepted, limited from noted
  order by organization_id, hour, api_key_id, operation
  on conflict (organization_id, hour, api_key_id, operation) do update
  set accepted = stored.accepted + excluded.accepted, limited = stored.limited + excluded.limited`;

export function collectKeyUsage(pool: pg.Pool, onError: (error: unknown) => void): KeyUsage {
  let pending = new Map<string, Pending>();
  const timer = setInterval(() => void flush().catch(onError), flushIntervalMs);
  timer.unref();

  async function flush(): Promise<void> {
    if (pending.size === 0) return;
    const entries = pending;
    pending = new Map();
    try {
      await pool.query(writeUsage, [JSON.stringify([...entries.values()])]);
    } catch (error) {
      for (const [id, entry] of entries) putBack(id, entry);
      throw error;
    }
  }

  /** What the database did not take is kept for the next time, together with what was noted since. */
  function putBack(id: string, entry: Pending): void {
    const since = pending.get(id);
    if (since) {
      since.accepted += entry.accepted;
      since.limited += entry.limited;
    } else if (pending.size < maxPendingEntries) pending.set(id, entry);
  }

  return {
    note(key, operation, outcome, address) {
      const now = new Date(nowMs());
      const hour = `${now.toISOString().slice(0, 13)}:00:00.000Z`;
      const id = `${key.apiKeyId} ${operation} ${hour}`;
      let entry = pending.get(id);
      if (!entry) {
        if (pending.size >= maxPendingEntries) return;
        entry = {
          organization_id: key.organizationId,
          api_key_id: key.apiKeyId,
          operation,
          hour,
          accepted: 0,
          limited: 0,
          used_at: "",
          address,
        };
        pending.set(id, entry);
      }
      entry[outcome] += 1;
      entry.used_at = now.toISOString();
      entry.address = address;
    },
    flush,
    async close() {
      clearInterval(timer);
      // A database that is gone must not keep the service from ending.
      await flush().catch(onError);
    },
  };
}

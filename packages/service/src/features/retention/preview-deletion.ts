import type { DeletableKind, KeptKind } from "@gatehouse-parking/contract";
import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import type { Config } from "../../core/config.js";
import { storedEntities } from "../../core/entities/entities.js";
import type { StoredEntity } from "../../core/entities/stored-entity.js";
import { clockSignsDays } from "../../core/imports/history/sweep-run-details.js";
import { repetitionMs } from "../../core/imports/write/exceptions.js";
import { changedRetention, type RetentionChanges } from "../../core/organizations/retention-periods.js";
import { firstIdAt } from "../../core/paging/pages.js";
import type { RetentionSettings } from "./settings.js";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** A preview looks at no more rows of a table than this, so it takes seconds at most. */
const maxRowsCounted = 500_000;

export interface RetentionRules {
  /** The periods of organizations that chose none. Absent: for ever. */
  usualDays: Partial<Record<KeptKind, number>>;
  graceHours: number;
}

export function retentionRules(
  config: Pick<Config, "requestLogDays" | "sentValuesDays" | "retentionGraceHours">,
): RetentionRules {
  return {
    usualDays: { requestLog: config.requestLogDays, runDetails: config.sentValuesDays },
    graceHours: config.retentionGraceHours,
  };
}

export interface Deletable {
  what: DeletableKind;
  /** Null: whatever the age. */
  days: number | null;
  count: number;
  /** Counting stopped at its limit: there are more. */
  isMinimum: boolean;
}

export interface DeletionPreview {
  /** Without kinds of which nothing is deleted. */
  data: Deletable[];
  /** When the change takes effect if it is saved now. */
  at: string;
}

export interface PeriodChanges {
  retention?: RetentionChanges | undefined;
  keepsDeletedKeys?: boolean | undefined;
}

/**
 * Counts what shorter periods delete when they take effect. Rows that are past the current period are left out, because
 * they are deleted anyway.
 */
export async function previewDeletion(
  pool: pg.Pool,
  settings: RetentionSettings & { uuid: string },
  { retention = {}, keepsDeletedKeys }: PeriodChanges,
  { usualDays, graceHours }: RetentionRules,
): Promise<DeletionPreview> {
  // Refuses periods out of range before anything is counted.
  changedRetention(settings.retention, retention);
  const { uuid: organizationId } = settings;
  const startMs = nowMs();
  const atMs = startMs + graceHours * hourMs;
  const data: Deletable[] = [];
  for (const [what, days] of Object.entries(retention) as [KeptKind, number | null][]) {
    if (days === null) continue;
    let total = { count: 0, isMinimum: false };
    for (const { usual = usualDays[what], count } of counters[what]) {
      const currentDays = Math.min(settings.retention[what] ?? Infinity, usual ?? Infinity);
      if (days >= currentDays) continue;
      const from = currentDays === Infinity ? new Date(0) : new Date(startMs - currentDays * dayMs);
      const counted = await count(pool, organizationId, { from, before: new Date(atMs - days * dayMs) });
      total = add(total, counted);
    }
    data.push({ what, days, ...total });
  }
  if (keepsDeletedKeys === false && settings.keepsDeletedKeys)
    data.push({ what: "deletedKeys", days: null, ...(await countKeys(pool, organizationId)) });
  return { data: data.filter(({ count }) => count > 0), at: new Date(atMs).toISOString() };
}

type Counted = Pick<Deletable, "count" | "isMinimum">;

function add(one: Counted, other: Counted): Counted {
  return { count: one.count + other.count, isMinimum: one.isMinimum || other.isMinimum };
}

/** Rows that were stored from one moment to before another. */
interface Span {
  from: Date;
  before: Date;
}

interface Counter {
  /** Where it differs from the usual days of the kind. */
  usual?: number;
  count: (pool: pg.Pool, organizationId: string, span: Span) => Promise<Counted>;
}

const counters: Record<KeptKind, Counter[]> = {
  records: [{ count: countRecords }],
  exceptions: [
    {
      // They are kept a day longer, because a younger run may name them as its own.
      count: (pool, organizationId, { from, before }) =>
        countRows(pool, organizationId, {
          ...{ table: "import_exceptions", key: "run_id" },
          from: firstIdAt(new Date(from.getTime() - repetitionMs)),
          before: firstIdAt(new Date(before.getTime() - repetitionMs)),
        }),
    },
  ],
  runDetails: [
    { count: byId("import_sent_values", "run_id") },
    {
      usual: clockSignsDays,
      count: (pool, organizationId, { from, before }) =>
        countRows(pool, organizationId, {
          ...{ table: "clock_signs", key: "day" },
          from: from.toISOString().slice(0, 10),
          before: before.toISOString().slice(0, 10),
        }),
    },
  ],
  requestLog: [{ count: byId("request_log", "id") }],
  leads: [{ count: byId("leads", "id") }],
};

function byId(table: string, key: string): Counter["count"] {
  return (pool, organizationId, { from, before }) =>
    countRows(pool, organizationId, { table, key, from: firstIdAt(from), before: firstIdAt(before) });
}

async function countRows(
  pool: pg.Pool,
  organizationId: string,
  { table, key, from, before }: { table: string; key: string; from: string; before: string },
): Promise<Counted> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from (
       select from ${table} where organization_id = $1 and ${key} >= $2 and ${key} < $3 limit ${maxRowsCounted}
     ) as past`,
    [organizationId, from, before],
  );
  return toCounted(rows[0]?.count ?? 0);
}

async function countKeys(pool: pg.Pool, organizationId: string): Promise<Counted> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from (
       select from deleted_records where organization_id = $1 limit ${maxRowsCounted}
     ) as known`,
    [organizationId],
  );
  return toCounted(rows[0]?.count ?? 0);
}

function toCounted(count: number): Counted {
  return { count, isMinimum: count === maxRowsCounted };
}

/**
 * A shorter period also frees older records that only records within the current period refer to. So the difference
 * between the two periods is what counts.
 */
async function countRecords(pool: pg.Pool, organizationId: string, { from, before }: Span): Promise<Counted> {
  let total = { count: 0, isMinimum: false };
  for (const stored of storedEntities) {
    const counted = await countUnreferred(pool, stored, organizationId, before);
    const anyway =
      from.getTime() === 0 ? 0 : (await countUnreferred(pool, stored, organizationId, from)).count;
    total = add(total, { ...counted, count: counted.count - anyway });
  }
  return total;
}

async function countUnreferred(
  pool: pg.Pool,
  stored: StoredEntity,
  organizationId: string,
  before: Date,
): Promise<Counted> {
  const stays = referredCondition(stored, "record");
  const { rows } = await pool.query<{ seen: number; count: number }>(
    `select count(*)::int as seen, (count(*) filter (where ${stays === "" ? "true" : `not (${stays})`}))::int as count
     from (
       select id from ${stored.table} where organization_id = $1 and id < $2 limit ${maxRowsCounted}
     ) as record`,
    [organizationId, firstIdAt(before)],
  );
  const { seen = 0, count = 0 } = rows[0] ?? {};
  return { count, isMinimum: seen === maxRowsCounted };
}

/** SQL for whether a record that stays refers to this one: it is younger, or another one that stays refers to it. */
function referredCondition({ table }: StoredEntity, record: string): string {
  return storedEntities
    .flatMap((other) =>
      other.links
        .filter(({ relation }) => relation.to.plural === table)
        .map(({ id: column }) => {
          const referrer = `${record}_${other.entity.name}`;
          const staysItself = referredCondition(other, referrer);
          return `exists (
            select from ${other.table} as ${referrer}
            where ${referrer}.organization_id = $1 and ${referrer}.${column} = ${record}.id
              and (${referrer}.id >= $2${staysItself === "" ? "" : ` or ${staysItself}`}))`;
        }),
    )
    .join(" or ");
}

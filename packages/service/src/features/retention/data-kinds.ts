import type { DeletableKind } from "@gatehouse-parking/contract";
import type pg from "pg";
import type { Config } from "../../core/config.js";
import { storedEntities } from "../../core/entities/entities.js";
import type { StoredEntity } from "../../core/entities/stored-entity.js";
import { firstIdAt } from "../../core/paging/pages.js";
import { clockSigns } from "../overview/time-zone-counts.js";
import { deleteRecords, type Deletion, type StepResult } from "./delete-records.js";
import { deleteExceptions, deleteLeads } from "./delete-rows.js";
import { deleteKeys } from "./deleted-records.js";
import { identicalResendMs } from "./identical-resends.js";

export type RetentionConfig = Pick<Config, "requestLogDays" | "sentValuesDays" | "retentionGraceHours">;

/** How the preview counts and how the sweep deletes one kind of data. */
interface DataKind {
  counts: readonly {
    count: Count;
    /** The period of organizations that chose none. Without one, the data is kept indefinitely. */
    defaultDays?: (config: RetentionConfig) => number;
  }[];
  /** Rows are kept this much longer than the period says. */
  extraMs?: number;
  /** Absent: another job deletes this kind. */
  deletions?: readonly DeletionStep[];
}

/** Deletes a few rows of a table, and is repeated while there are more. */
interface DeletionStep {
  table: string;
  run: (pool: pg.Pool, deletion: Deletion) => Promise<StepResult>;
}

/** The sweep deletes in this order. */
export const dataKinds: Record<DeletableKind, DataKind> = {
  leads: {
    counts: [{ count: countById("leads", "id") }],
    deletions: [{ table: "leads", run: deleteLeads }],
  },
  exceptions: {
    counts: [{ count: countById("import_exceptions", "run_id") }],
    // A run that repeats another one refers to that one's exceptions.
    extraMs: identicalResendMs,
    deletions: [{ table: "import_exceptions", run: deleteExceptions }],
  },
  deletedKeys: {
    counts: [{ count: countById("deleted_records", "record_id") }],
    deletions: [{ table: "deleted_records", run: deleteKeys }],
  },
  records: {
    counts: [{ count: countRecords }],
    // Entities that refer to others are deleted before those.
    deletions: storedEntities.toReversed().map((stored) => ({
      table: stored.table,
      run: (pool, deletion) => deleteRecords(pool, stored, deletion),
    })),
  },
  runDetails: {
    counts: [
      {
        count: countById("import_sent_values", "run_id"),
        defaultDays: ({ sentValuesDays }) => sentValuesDays,
      },
      { count: countClockSigns, defaultDays: () => clockSigns.days },
    ],
  },
  requestLog: {
    counts: [{ count: countById("request_log", "id"), defaultDays: ({ requestLogDays }) => requestLogDays }],
  },
};

/** Counts what was stored in a period of time. */
type Count = (pool: pg.Pool, organizationId: string, span: Span) => Promise<Counted>;

interface Span {
  from: Date;
  before: Date;
}

export interface Counted {
  count: number;
  /** Counting stopped at its limit: there are more. */
  isMinimum: boolean;
}

/** A preview reads at most this many rows of a table, so it takes seconds at most. */
const maxRowsCounted = 500_000;

export function add(one: Counted, other: Counted): Counted {
  return { count: one.count + other.count, isMinimum: one.isMinimum || other.isMinimum };
}

function countById(table: string, column: string): Count {
  return (pool, organizationId, { from, before }) =>
    countBetween(pool, organizationId, {
      ...{ table, column },
      bounds: [firstIdAt(from), firstIdAt(before)],
    });
}

async function countClockSigns(pool: pg.Pool, organizationId: string, span: Span): Promise<Counted> {
  const bounds = [span.from, span.before].map((moment) => moment.toISOString().slice(0, 10));
  return countBetween(pool, organizationId, { table: "clock_signs", column: "day", bounds });
}

async function countBetween(
  pool: pg.Pool,
  organizationId: string,
  { table, column, bounds }: { table: string; column: string; bounds: readonly string[] },
): Promise<Counted> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from (
       select from ${table} where organization_id = $1 and ${column} >= $2 and ${column} < $3 limit ${maxRowsCounted}
     ) as expired`,
    [organizationId, ...bounds],
  );
  const { count = 0 } = rows[0] ?? {};
  return { count, isMinimum: count === maxRowsCounted };
}

/**
 * A shorter period also deletes older records that only records within the current period refer to. So this counts what
 * each of the two periods deletes, and returns the difference.
 */
async function countRecords(pool: pg.Pool, organizationId: string, { from, before }: Span): Promise<Counted> {
  let total = { count: 0, isMinimum: false };
  for (const stored of storedEntities) {
    const counted = await countUnreferenced(pool, stored, organizationId, before);
    const deletedAnyway =
      from.getTime() === 0 ? 0 : (await countUnreferenced(pool, stored, organizationId, from)).count;
    total = add(total, { ...counted, count: counted.count - deletedAnyway });
  }
  return total;
}

async function countUnreferenced(
  pool: pg.Pool,
  stored: StoredEntity,
  organizationId: string,
  before: Date,
): Promise<Counted> {
  const { rows } = await pool.query<{ seen: number; count: number }>(
    `select count(*)::int as seen, (count(*) filter (where not (${isReferenced(stored, "record")})))::int as count
     from (
       select id from ${stored.table} where organization_id = $1 and id < $2 limit ${maxRowsCounted}
     ) as record`,
    [organizationId, firstIdAt(before)],
  );
  const { seen = 0, count = 0 } = rows[0] ?? {};
  return { count, isMinimum: seen === maxRowsCounted };
}

/** SQL: whether a younger record refers to this one, or an older one that is kept because it is referenced itself. */
function isReferenced({ table }: StoredEntity, record: string): string {
  const conditions = storedEntities.flatMap((other) =>
    other.links
      .filter(({ relation }) => relation.to.plural === table)
      .map(({ id: column }) => {
        const referrer = `${record}_${other.entity.name}`;
        return `exists (
          select from ${other.table} as ${referrer}
          where ${referrer}.organization_id = $1 and ${referrer}.${column} = ${record}.id
            and (${referrer}.id >= $2 or ${isReferenced(other, referrer)}))`;
      }),
  );
  return conditions.length === 0 ? "false" : conditions.join(" or ");
}

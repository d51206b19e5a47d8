import { quotaNames, type Quotas } from "@gatehouse-parking/contract";
import type { OrganizationStorage } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import { setLockTimeout, transaction } from "../../core/database/transaction.js";
import { storedEntities } from "../../core/entities/entities.js";
import { countRecentLeads } from "../../core/leads/lead-quota.js";
import { readStored, type StoredNow } from "../../core/organizations/quotas.js";
import { lockTimeout } from "./delete-records.js";

/** What an organization has in one table. Bytes are estimated and do not include indexes. */
type Size = OrganizationStorage["sizes"][number];

/** Rows are counted in portions, so that no statement takes longer as the table grows. */
const rowsPerCount = 200_000;
/** How many of the newest and of the oldest rows are measured to estimate the average size. */
const rowsSampled = 250;

/** In the order in which they are shown. */
const countedTables: { table: string; key: readonly string[] }[] = [
  ...storedEntities.toReversed().map(({ table }) => ({ table, key: ["id"] })),
  { table: "deleted_records", key: ["record_id"] },
  { table: "import_runs", key: ["id"] },
  { table: "import_exceptions", key: ["run_id", "position"] },
  { table: "import_sent_values", key: ["run_id", "position"] },
  { table: "leads", key: ["id"] },
  { table: "upload_batches", key: ["upload_id", "pass_number", "first_row"] },
  { table: "upload_corrections", key: ["upload_id", "pass_number", "row_number", "attempt"] },
  { table: "upload_pieces", key: ["upload_id", "byte_offset"] },
];
const recordTables = new Set<string>(storedEntities.map(({ table }) => table));

/**
 * Counts what an organization stores in one snapshot. It stores the figures, and the base of the quotas on the row that
 * imports lock. Imports add their changes to that row, which is read in the same snapshot, so changes made meanwhile count
 * on top.
 */
export async function measureStorage(
  pool: pg.Pool,
  organizationId: string,
  maxLockWait = lockTimeout,
): Promise<void> {
  const { sizes, net } = await transaction(pool, async (client) => {
    await client.query("set transaction isolation level repeatable read, read only");
    const { rows } = await client.query<Net>(
      "select records_net, bytes_net, now() as counted_at from import_turns where organization_id = $1",
      [organizationId],
    );
    const measured: Size[] = [];
    for (const { table, key } of countedTables)
      measured.push(await measure(client, table, key, organizationId));
    return { sizes: measured, net: rows[0] ?? { records_net: 0, bytes_net: 0, counted_at: null } };
  });
  const records = sum(sizes.filter(({ what }) => recordTables.has(what)).map(({ rows }) => rows));
  const bytes = sum(sizes.map((size) => size.bytes));
  await transaction(pool, async (client) => {
    for (const { text } of setLockTimeout(maxLockWait)) await client.query(text);
    await client.query(
      "update import_turns set records_base = $2, bytes_base = $3, bytes_counted_at = $4 where organization_id = $1",
      [organizationId, records - net.records_net, bytes - net.bytes_net, net.counted_at],
    );
  });
  // The request log is on the first node of a cluster, outside of the organization's shard.
  const log = await measure(pool, "request_log", ["id"], organizationId);
  await pool.query(
    `insert into organization_upkeep (organization_id, measured_at, sizes, records, bytes)
     values ($1, now(), $2, $3, $4)
     on conflict (organization_id) do update
     set measured_at = excluded.measured_at, sizes = excluded.sizes, records = excluded.records, bytes = excluded.bytes`,
    [organizationId, JSON.stringify([...sizes, log]), records, bytes + log.bytes],
  );
}

/** What imports, undos and deletions have changed since the last count. */
interface Net {
  records_net: number;
  bytes_net: number;
  counted_at: Date | null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

async function measure(
  client: pg.Pool | pg.PoolClient,
  table: string,
  key: readonly string[],
  organizationId: string,
): Promise<Size> {
  const rows = await countRows(client, table, key, organizationId);
  if (rows === 0) return { what: table, rows, bytes: 0 };
  const some = (direction: "asc" | "desc") => `
    (select record.* from ${table} as record where record.organization_id = $1
     order by ${key.map((column) => `record.${column} ${direction}`).join(", ")} limit ${rowsSampled})`;
  const { rows: sampled } = await client.query<{ average: number }>(
    `select avg(pg_column_size(sampled.*))::float8 as average
     from (${some("asc")} union all ${some("desc")}) as sampled`,
    [organizationId],
  );
  return { what: table, rows, bytes: Math.round(rows * (sampled[0]?.average ?? 0)) };
}

/** Jumps along the primary key, one portion at a time. */
async function countRows(
  client: pg.Pool | pg.PoolClient,
  table: string,
  key: readonly string[],
  organizationId: string,
): Promise<number> {
  const columns = key.join(", ");
  const order = `order by ${columns}`;
  for (let counted = 0, after: readonly unknown[] = []; ; counted += rowsPerCount) {
    const afterKey =
      after.length === 0 ? "" : `and (${columns}) > (${key.map((_, index) => `$${index + 2}`).join(", ")})`;
    const { rows: last } = await client.query<Record<string, unknown>>(
      `select ${columns} from ${table} where organization_id = $1 ${afterKey}
       ${order} offset ${rowsPerCount - 1} limit 1`,
      [organizationId, ...after],
    );
    if (last[0]) {
      after = key.map((column) => last[0]?.[column]);
      continue;
    }
    const { rows } = await client.query<{ rows: number }>(
      `select count(*) as rows from ${table} where organization_id = $1 ${afterKey}`,
      [organizationId, ...after],
    );
    return counted + (rows[0]?.rows ?? 0);
  }
}

/** The quotas and the current storage, by table while the last count is current. */
export async function showStorage(
  pool: pg.Pool,
  organizationId: string,
  { quotas, version }: { quotas: Quotas; version: string },
): Promise<OrganizationStorage> {
  const { rows } = await pool.query<{ measured_at: Date | null; sizes: string }>(
    "select measured_at, sizes from organization_upkeep where organization_id = $1",
    [organizationId],
  );
  const [measured] = rows;
  const stored = await readStored(pool, organizationId);
  const used = {
    records: stored.records,
    storageBytes: stored.bytes,
    leadsPerDay:
      quotas.leadsPerDay === undefined
        ? null
        : await countRecentLeads(pool, { organizationId, nowMs: nowMs(), atMost: quotas.leadsPerDay }),
  };
  return {
    measuredAt: measured?.measured_at?.toISOString() ?? null,
    sizes: withCurrentRecords(JSON.parse(measured?.sizes ?? "[]") as Size[], stored),
    quotas: quotaNames.map((quota) => ({ quota, limit: quotas[quota] ?? null, used: used[quota] })),
    version,
  };
}

/**
 * Tables are counted about once an hour. If the number of records has changed since, one line for all records replaces their
 * tables, so that the page never shows two figures for the same thing.
 */
function withCurrentRecords(sizes: Size[], { records, bytes }: StoredNow): Size[] {
  const counted = sum(sizes.filter(({ what }) => recordTables.has(what)).map(({ rows }) => rows));
  if (records === null || (sizes.length > 0 && records === counted)) return sizes;
  const others = sizes.filter(({ what }) => !recordTables.has(what));
  // The request log is not part of the quota.
  const otherBytes = sum(others.filter(({ what }) => what !== "request_log").map((size) => size.bytes));
  return [{ what: "records", rows: records, bytes: Math.max(0, (bytes ?? 0) - otherBytes) }, ...others];
}

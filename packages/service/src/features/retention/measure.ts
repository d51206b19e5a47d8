import type pg from "pg";
import { setLockTimeout, transaction } from "../../core/database/transaction.js";
import { storedEntities } from "../../core/entities/entities.js";
import { lockTimeout } from "./delete-records.js";

/** What an organization has in one table. */
export interface Size {
  what: string;
  rows: number;
  /** Estimated, without indexes. */
  bytes: number;
}

/** Rows are counted so many at a time, so that no statement grows with the table. */
const rowsPerCount = 200_000;
/** How many of the newest and of the oldest rows are measured to estimate the size of the others. */
const rowsWeighed = 250;

/** In the order in which they are shown. */
const countedTables: { table: string; key: readonly string[] }[] = [
  ...storedEntities.toReversed().map(({ table }) => ({ table, key: ["id"] })),
  { table: "deleted_records", key: ["record_id"] },
  { table: "import_runs", key: ["id"] },
  { table: "import_exceptions", key: ["run_id", "position"] },
  { table: "import_sent_values", key: ["run_id", "position"] },
  { table: "leads", key: ["id"] },
  { table: "upload_batches", key: ["upload_id", "pass_number", "first_row"] },
  { table: "upload_pieces", key: ["upload_id", "byte_offset"] },
];
const recordTables = new Set<string>(storedEntities.map(({ table }) => table));

/**
 * Counts what an organization stores, in one moment of the database, and notes it: the figures for people, and for its
 * quotas on the row that imports lock. What imports add and take away is counted there by themselves, so the two are read
 * at the same moment, and whatever comes meanwhile counts on top. `patience`: how long it may wait for whoever imports.
 */
export async function measureOrganization(
  pool: pg.Pool,
  organizationId: string,
  patience = lockTimeout,
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
    for (const { text } of setLockTimeout(patience)) await client.query(text);
    await client.query(
      "update import_turns set records_base = $2, bytes_base = $3, bytes_counted_at = $4 where organization_id = $1",
      [organizationId, records - net.records_net, bytes - net.bytes_net, net.counted_at],
    );
  });
  // The log of requests lies on the first node, beside the keys.
  const log = await measure(pool, "request_log", ["id"], organizationId);
  await pool.query(
    `insert into organization_upkeep (organization_id, measured_at, sizes, records, bytes)
     values ($1, now(), $2, $3, $4)
     on conflict (organization_id) do update
     set measured_at = excluded.measured_at, sizes = excluded.sizes, records = excluded.records, bytes = excluded.bytes`,
    [organizationId, JSON.stringify([...sizes, log]), records, bytes + log.bytes],
  );
}

/** What runs, undos and deletions have added and taken away, and when that was so. */
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
     order by ${key.map((column) => `record.${column} ${direction}`).join(", ")} limit ${rowsWeighed})`;
  const { rows: weighed } = await client.query<{ average: number }>(
    `select avg(pg_column_size(weighed.*))::float8 as average
     from (${some("asc")} union all ${some("desc")}) as weighed`,
    [organizationId],
  );
  return { what: table, rows, bytes: Math.round(rows * (weighed[0]?.average ?? 0)) };
}

/** From one row to the next one so many behind it, along the primary key. */
async function countRows(
  client: pg.Pool | pg.PoolClient,
  table: string,
  key: readonly string[],
  organizationId: string,
): Promise<number> {
  const columns = key.join(", ");
  const order = `order by ${columns}`;
  for (let counted = 0, after: readonly unknown[] = []; ; counted += rowsPerCount) {
    const beyond =
      after.length === 0 ? "" : `and (${columns}) > (${key.map((_, index) => `$${index + 2}`).join(", ")})`;
    const { rows: last } = await client.query<Record<string, unknown>>(
      `select ${columns} from ${table} where organization_id = $1 ${beyond}
       ${order} offset ${rowsPerCount - 1} limit 1`,
      [organizationId, ...after],
    );
    if (last[0]) {
      after = key.map((column) => last[0]?.[column]);
      continue;
    }
    const { rows } = await client.query<{ rows: number }>(
      `select count(*) as rows from ${table} where organization_id = $1 ${beyond}`,
      [organizationId, ...after],
    );
    return counted + (rows[0]?.rows ?? 0);
  }
}

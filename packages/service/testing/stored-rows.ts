import type pg from "pg";

/** Tables written some time after a request, or also by rejected requests. */
export const changesByItself = ["rate_limits", "api_key_usage", "request_log"];

/** Columns with the time of last use. */
const changesByUse = ["last_used_at", "last_used_address", "last_seen_at"];

/**
 * A digest of every table, to detect whether a request has written anything. It does not depend on the order of rows.
 */
export async function digestOfRows(pool: pg.Pool): Promise<Record<string, string>> {
  const tables = await pool.query<{ name: string; isUsed: boolean }>(
    `select table_name as name, bool_or(column_name::text = any ($2)) as "isUsed" from information_schema.columns
     where table_schema = 'public' and table_name <> all ($1) group by 1`,
    [changesByItself, changesByUse],
  );
  const digests = tables.rows.map(({ name, isUsed }) => {
    const row = isUsed ? `to_jsonb(stored) - '{${changesByUse.join(",")}}'::text[]` : "stored";
    return `select '${name}' as name, concat(count(*), ' ', sum(hashtextextended((${row})::text, 0))) as digest from ${name} as stored`;
  });
  const { rows } = await pool.query<{ name: string; digest: string }>(digests.join(" union all "));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

import type pg from "pg";

/** Written some time after a request, or by refused ones too. */
export const changesByItself = ["rate_limits", "api_key_usage", "request_log"];

/** A digest of every table, to see whether a request has written anything. */
export async function digestOfRows(pool: pg.Pool): Promise<Record<string, string>> {
  const tables = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_name <> all ($1) order by 1`,
    [changesByItself],
  );
  const digests = tables.rows.map(
    ({
      name,
    }) => `select '${name}' as name, md5(coalesce(string_agg(row::text, ',' order by row::text), '')) as digest
      from (select to_jsonb(stored) - 'last_used_at' - 'last_used_address' - 'last_seen_at' as row from ${name} as stored) as rows`,
  );
  const { rows } = await pool.query<{ name: string; digest: string }>(digests.join(" union all "));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

import type pg from "pg";

/** Keys by their id, as they are shown beside what was sent with them. */
export type ShownKeys = Map<string, { uuid: string; name: string; prefix: string }>;

/** Asked for apart from the runs and leads themselves, because keys are not kept where those are. */
export async function findKeys(
  pool: pg.Pool,
  organizationId: string,
  ids: readonly (string | null)[],
): Promise<ShownKeys> {
  const { rows } = await pool.query<{ uuid: string; name: string; prefix: string }>(
    "select id as uuid, name, prefix from api_keys where organization_id = $1 and id = any ($2::uuid[])",
    [organizationId, [...new Set(ids.filter((id) => id !== null))]],
  );
  return new Map(rows.map((key) => [key.uuid, key]));
}

import type { UnfinishedErasures } from "@gatehouse-parking/contract/console";
import type pg from "pg";

/** There are hardly ever more than a few. */
const maxListed = 100;

/** Erasures that have begun and not come to their end, the oldest first. Whose they are is not stored. */
export async function listUnfinishedErasures(
  pool: pg.Pool,
  organizationId: string,
): Promise<UnfinishedErasures> {
  const { rows } = await pool.query<{ begun_at: Date }>(
    "select begun_at from person_erasures where organization_id = $1 order by begun_at limit $2",
    [organizationId, maxListed],
  );
  return { data: rows.map((row) => ({ begunAt: row.begun_at.toISOString() })) };
}

import type pg from "pg";
import { firstIdAt } from "../paging/time-ordered-ids.js";
import { Refused } from "../refusals/refused.js";

const dayMs = 86_400_000;

/** How many leads came in the last 24 hours, quarantined ones included, by their identifiers and up to `atMost`. */
export async function countRecentLeads(
  pool: pg.Pool,
  { organizationId, nowMs, atMost }: { organizationId: string; nowMs: number; atMost: number },
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*) as count from (
       select from leads where organization_id = $1 and id >= $2 limit $3
     ) as recent`,
    [organizationId, firstIdAt(new Date(nowMs - dayMs)), atMost],
  );
  return rows[0]?.count ?? 0;
}

/** Refuses a lead for which the organization has no room today. */
export async function requireLeadRoom(
  pool: pg.Pool,
  asked: { organizationId: string; nowMs: number; atMost: number },
): Promise<void> {
  if ((await countRecentLeads(pool, asked)) < asked.atMost) return;
  throw new Refused("quotaExceeded", [
    `The organization takes ${asked.atMost.toLocaleString("en")} leads in 24 hours, and they have come; this one was not stored`,
  ]);
}

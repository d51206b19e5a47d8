import { maxCountedNewLeads, maxSearchedNewLeads } from "@gatehouse-parking/contract";
import type { AnswerOf } from "@gatehouse-parking/contract/console";
import type pg from "pg";

/** Stops at both limits, because the console asks for it on every page. */
export async function countNewLeads(
  pool: pg.Pool,
  organizationId: string,
): Promise<AnswerOf<"countNewLeads">> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::integer as count from (
       select record.id from (
         select id, state from leads where organization_id = $1 order by id desc limit ${maxSearchedNewLeads}
       ) as record
       left join lateral (
         select state from lead_work where organization_id = $1 and lead_id = record.id limit 1
       ) as work on true
       where record.state = 'accepted' and coalesce(work.state, 'new') = 'new'
       limit ${maxCountedNewLeads + 1}
     ) as found`,
    [organizationId],
  );
  const count = rows[0]?.count ?? 0;
  return { count: Math.min(count, maxCountedNewLeads), hasMore: count > maxCountedNewLeads };
}

import type { FirstSteps } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { everyMembership } from "../../core/organizations/memberships.js";

/** In two statements, because keys and members are stored on another server in a cluster. */
export async function readFirstSteps(
  pool: pg.Pool,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<FirstSteps> {
  const [data, access] = await Promise.all([
    pool.query<Pick<FirstSteps, "location" | "record">>(
      `select exists (select from locations where organization_id = $1) as location,
         exists (select from import_runs where organization_id = $1)
         or exists (select from leads where organization_id = $1) as record`,
      [organizationId],
    ),
    pool.query<Pick<FirstSteps, "apiKey" | "member">>(
      `select exists (
           select from api_keys
           where organization_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())
         ) as "apiKey",
         exists (
           select from ${everyMembership} as member where organization_id = $1 and user_id <> $2
         ) as member`,
      [organizationId, userId],
    ),
  ]);
  return { ...data.rows[0], ...access.rows[0] } as FirstSteps;
}

import { randomBytes } from "node:crypto";
import type pg from "pg";
import type { SampleWorld } from "./planned-sample.js";

/** What samples are made for now; undefined as long as the organization has no location. */
export async function findSampleWorld(
  pool: pg.Pool,
  input: { organizationId: string; leadLimit: number },
): Promise<SampleWorld | undefined> {
  const { rows } = await pool.query<{ id: string }>(
    "select id from locations where organization_id = $1 order by is_active desc, id limit 1",
    [input.organizationId],
  );
  if (!rows[0]) return undefined;
  return {
    locationUuid: rows[0].id,
    unique: randomBytes(4).toString("hex"),
    leadLimit: input.leadLimit,
  };
}

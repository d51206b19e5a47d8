import type pg from "pg";

/** What is looked up about a lead before it is stored; most leads need none of it. */

export interface EarlierLead {
  uuid: string;
  createdAt: Date;
  bodyHash: Buffer;
}

/** The lead that was stored under an Idempotency-Key. */
export async function findEarlierLead(
  pool: pg.Pool,
  key: { organizationId: string; idempotencyKey: string },
): Promise<EarlierLead | undefined> {
  const { rows } = await pool.query<EarlierLead>({
    name: "find-earlier-lead",
    text: `
      select id as uuid, created_at as "createdAt", body_hash as "bodyHash"
      from leads where organization_id = $1 and idempotency_key = $2`,
    values: [key.organizationId, key.idempotencyKey],
  });
  return rows[0];
}

export async function isLocationOf(
  pool: pg.Pool,
  organizationId: string,
  locationUuid: string,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "is-location-of",
    text: "select from locations where organization_id = $1 and id = $2",
    values: [organizationId, locationUuid],
  });
  return rowCount === 1;
}

import type pg from "pg";

interface DeletedLead {
  notes: number;
  /** The size of the lead in the storage quota. */
  bytes: number;
}

/**
 * Deletes a lead with its work state and notes. The lead comes first: writers of notes lock its row, so they
 * have ended when it is deleted.
 */
export async function deleteLead(
  client: pg.PoolClient,
  organizationId: string,
  id: string,
): Promise<DeletedLead> {
  const { rows } = await client.query<{ bytes: number }>(
    `delete from leads as lead where organization_id = $1 and id = $2
     returning pg_column_size(lead.*) as bytes`,
    [organizationId, id],
  );
  await client.query("delete from lead_work where organization_id = $1 and lead_id = $2", [
    organizationId,
    id,
  ]);
  const { rowCount } = await client.query(
    "delete from lead_notes where organization_id = $1 and lead_id = $2",
    [organizationId, id],
  );
  return { notes: rowCount ?? 0, bytes: rows[0]?.bytes ?? 0 };
}

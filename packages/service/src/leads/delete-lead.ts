import type pg from "pg";

/**
 * Deletes a lead with what people did with it, and returns how many notes that were. The lead itself first: whoever notes
 * something about it holds its row, and has ended when it is gone.
 */
export async function deleteLead(client: pg.PoolClient, organizationId: string, id: string): Promise<number> {
  await client.query("delete from leads where organization_id = $1 and id = $2", [organizationId, id]);
  await client.query("delete from lead_work where organization_id = $1 and lead_id = $2", [
    organizationId,
    id,
  ]);
  const { rowCount } = await client.query(
    "delete from lead_notes where organization_id = $1 and lead_id = $2",
    [organizationId, id],
  );
  return rowCount ?? 0;
}

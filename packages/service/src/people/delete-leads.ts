import { transaction } from "../database/transaction.js";
import type { Erasure } from "./delete-person.js";
import { findLeads } from "./find-records.js";

export async function deleteLeads({ pool, person, personHash, rowsAStep }: Erasure): Promise<void> {
  let deleted: number;
  do {
    deleted = await transaction(pool, async (client) => {
      const ids = await findLeads(client, person, rowsAStep);
      for (const id of ids)
        await client.query("delete from leads where organization_id = $1 and id = $2", [
          person.organizationId,
          id,
        ]);
      await client.query(
        "update person_erasures set leads_deleted = leads_deleted + $3 where organization_id = $1 and person_hash = $2",
        [person.organizationId, personHash, ids.length],
      );
      return ids.length;
    });
  } while (deleted >= rowsAStep);
}

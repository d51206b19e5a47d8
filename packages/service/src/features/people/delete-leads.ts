import { transaction } from "../../core/database/transaction.js";
import { deleteLead } from "../../core/leads/delete-lead.js";
import { releaseStorage } from "../../core/organizations/storage-quota.js";
import type { Erasure } from "./delete-person.js";
import { findLeads } from "./find-records.js";

/** The leads of the person, with what people noted about them and how far they had come. */
export async function deleteLeads({ pool, person, personHash, rowsAStep }: Erasure): Promise<void> {
  const { organizationId } = person;
  let deleted: number;
  do {
    deleted = await transaction(pool, async (client) => {
      // In the order in which everybody holds several of them, so that nobody waits for each other.
      const ids = (await findLeads(client, person, rowsAStep)).toSorted();
      let notes = 0;
      let bytes = 0;
      for (const id of ids) {
        const lead = await deleteLead(client, organizationId, id);
        notes += lead.notes;
        bytes += lead.bytes;
      }
      await client.query(
        `update person_erasures
         set leads_deleted = leads_deleted + $3, lead_notes_deleted = lead_notes_deleted + $4
         where organization_id = $1 and person_hash = $2`,
        [organizationId, personHash, ids.length, notes],
      );
      // Last, because imports wait for it.
      if (bytes > 0) await releaseStorage(client, organizationId, bytes);
      return ids.length;
    });
  } while (deleted >= rowsAStep);
}

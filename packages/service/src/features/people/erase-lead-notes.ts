import { transaction } from "../../core/database/transaction.js";
import type { Erasure } from "./delete-person.js";
import { lowestUuid } from "../../core/uuidv7.js";
import { mentionsInText } from "./person.js";

interface KeptNote {
  lead_id: string;
  id: string;
  note: string;
}

/** Notes about the leads of others may mention the person. All of them are read once, and those that do are deleted. */
export async function eraseLeadNotes({ pool, person, personHash, rowsAStep }: Erasure): Promise<void> {
  const { organizationId } = person;
  let last = { lead_id: lowestUuid, id: lowestUuid };
  for (;;) {
    const page = await transaction(pool, async (client) => {
      const { rows } = await client.query<KeptNote>(
        `select lead_id, id, note from lead_notes
         where organization_id = $1 and (lead_id, id) > ($2, $3)
         order by lead_id, id limit $4`,
        [organizationId, last.lead_id, last.id, rowsAStep],
      );
      let deleted = 0;
      for (const { lead_id: leadId, id } of rows.filter(({ note }) => mentionsInText(person, note))) {
        const { rowCount } = await client.query(
          "delete from lead_notes where organization_id = $1 and lead_id = $2 and id = $3",
          [organizationId, leadId, id],
        );
        deleted += rowCount ?? 0;
      }
      if (deleted > 0)
        await client.query(
          `update person_erasures set lead_notes_deleted = lead_notes_deleted + $3
           where organization_id = $1 and person_hash = $2`,
          [organizationId, personHash, deleted],
        );
      return rows;
    });
    const end = page.at(-1);
    if (end === undefined || page.length < rowsAStep) return;
    last = end;
  }
}

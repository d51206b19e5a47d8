import { transaction } from "../../core/database/transaction.js";
import type { Erasure } from "./delete-person.js";
import { mentionsInText, type Person } from "./person.js";
import { lowestUuid } from "../../core/uuidv7.js";

interface View {
  user_id: string;
  id: string;
  name: string;
  query: string;
}

/** Somebody may have searched for the person in a list and saved that as a view. Such a view goes as a whole. */
export async function eraseSavedViews({ pool, person, rowsAStep }: Erasure): Promise<void> {
  const { organizationId } = person;
  let last = { user_id: lowestUuid, id: lowestUuid };
  for (;;) {
    const page = await transaction(pool, async (client) => {
      const { rows } = await client.query<View>(
        `select user_id, id, name, query from saved_views
         where organization_id = $1 and (user_id, id) > ($2, $3) order by user_id, id limit $4`,
        [organizationId, last.user_id, last.id, rowsAStep],
      );
      for (const view of rows.filter((row) => shows(person, row)))
        await client.query(
          "delete from saved_views where organization_id = $1 and user_id = $2 and id = $3",
          [organizationId, view.user_id, view.id],
        );
      return rows;
    });
    const end = page.at(-1);
    if (end === undefined || page.length < rowsAStep) return;
    last = end;
  }
}

function shows(person: Person, { name, query }: View): boolean {
  return [name, ...new URLSearchParams(query).values()].some((text) => mentionsInText(person, text));
}

import { transaction } from "../../core/database/transaction.js";
import type { SentValue } from "../../core/imports/write/sent-values.js";
import type { Erasure } from "./delete-person.js";
import { mentions, type Person } from "./person.js";
import { lowestUuid } from "../../core/uuidv7.js";

interface KeptValues {
  run_id: string;
  position: number;
  sent: string;
}

/** Runs keep for a while what failed records had in their wrong fields; the person may be among it. All of it is read once. */
export async function eraseSentValues({ pool, person, personHash, rowsAStep }: Erasure): Promise<void> {
  const { organizationId } = person;
  let last = { run_id: lowestUuid, position: -1 };
  for (;;) {
    const page = await transaction(pool, async (client) => {
      const { rows } = await client.query<KeptValues>(
        `select run_id, position, sent from import_sent_values
         where organization_id = $1 and (run_id, position) > ($2, $3)
         order by run_id, position limit $4`,
        [organizationId, last.run_id, last.position, rowsAStep],
      );
      let erased = 0;
      for (const { run_id: runId, position } of rows.filter(({ sent }) => mayShow(person, sent))) {
        const { rowCount } = await client.query(
          "delete from import_sent_values where organization_id = $1 and run_id = $2 and position = $3",
          [organizationId, runId, position],
        );
        erased += rowCount ?? 0;
      }
      if (erased > 0)
        await client.query(
          `update person_erasures set differences_erased = differences_erased + $3
           where organization_id = $1 and person_hash = $2`,
          [organizationId, personHash, erased],
        );
      return rows;
    });
    const end = page.at(-1);
    if (end === undefined || page.length < rowsAStep) return;
    last = end;
  }
}

/** Nobody can tell what the rest of a value was that was cut, so it goes too. */
function mayShow(person: Person, sent: string): boolean {
  return (JSON.parse(sent) as SentValue[]).some(({ value, isCut }) => isCut || mentions(person, value));
}

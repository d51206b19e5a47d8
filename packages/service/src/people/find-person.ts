import type { StoredOfPerson } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { transaction } from "../database/transaction.js";
import { hashOf } from "./delete-person.js";
import { findRecords } from "./find-records.js";
import { requirePerson, type PersonQuery } from "./person.js";

/** Of what there is more of, this many are counted. */
const maxCounted = 1_000;

/**
 * How much is stored under a person's e-mail address or phone number, for whoever is about to export or erase it. What
 * runs and uploads noted is looked for only when it is erased: all of it has to be read for that.
 */
export async function findPerson(pool: pg.Pool, query: PersonQuery): Promise<StoredOfPerson> {
  return transaction(pool, async (client) => {
    const person = await requirePerson(client, query);
    const { organizationId } = person;
    const found = await findRecords(client, person, maxCounted);
    const { rows: notes } = await client.query<{ count: number }>(
      `select count(*)::integer as count from lead_notes
       where organization_id = $1 and lead_id = any ($2::uuid[])`,
      [organizationId, found.leads],
    );
    const { rowCount } = await client.query(
      "select from person_erasures where organization_id = $1 and person_hash = $2",
      [organizationId, hashOf(person)],
    );
    return {
      leads: found.leads.length,
      leadNotes: notes[0]?.count ?? 0,
      contacts: found.contacts.length,
      accounts: found.accounts.length,
      isUnfinished: rowCount !== 0,
    };
  });
}

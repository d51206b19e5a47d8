import type { StoredOfPerson } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import { hashOf } from "./delete-person.js";
import { findRecords, type FoundRecords } from "./find-records.js";
import { requirePerson, type PersonQuery } from "./person.js";

/** What there is more of is counted up to this. */
const maxCounted = 1_000;

/**
 * How much is stored under a person's e-mail address or phone number, for whoever is about to export or erase it. What
 * runs and uploads noted is looked for only when it is erased: all of it has to be read for that. Address and number are
 * counted apart, because a number that somebody left in a form need not be theirs.
 */
export async function findPerson(pool: pg.Pool, query: PersonQuery): Promise<StoredOfPerson> {
  return transaction(pool, async (client) => {
    const person = await requirePerson(client, query);
    const { organizationId } = person;
    const byEmail = await findRecords(client, { ...person, phone: undefined }, maxCounted);
    const byPhone = await findRecords(client, { ...person, email: undefined }, maxCounted);
    const leads = [...new Set([...byEmail.leads, ...byPhone.leads])];
    const { rows: notes } = await client.query<{ count: number }>(
      `select count(*)::integer as count from lead_notes
       where organization_id = $1 and lead_id = any ($2::uuid[])`,
      [organizationId, leads],
    );
    const { rowCount } = await client.query(
      "select from person_erasures where organization_id = $1 and person_hash = $2",
      [organizationId, hashOf(person)],
    );
    return {
      leads: leads.length,
      leadNotes: notes[0]?.count ?? 0,
      contacts: new Set([...byEmail.contacts, ...byPhone.contacts]).size,
      accounts: new Set([...byEmail.accounts, ...byPhone.accounts]).size,
      byEmail: person.email === undefined ? null : countsOf(byEmail),
      byPhone: person.phone === undefined ? null : countsOf(byPhone),
      isUnfinished: rowCount !== 0,
    };
  });
}

function countsOf({ leads, contacts, accounts }: FoundRecords) {
  return { leads: leads.length, contacts: contacts.length, accounts: accounts.length };
}

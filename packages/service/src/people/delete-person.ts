import type pg from "pg";
import { transaction } from "../database/transaction.js";
import { writeAudit } from "../organizations/audit.js";
import { hashedEmail, requirePerson, type PersonQuery } from "./person.js";

export interface PersonDeletion {
  leadsDeleted: number;
  contactsErased: number;
  /** Differences noted with import runs that showed the person's data. */
  differencesErased: number;
}

/** The row stays under its id, because transactions are linked to it; nothing in it tells any more who it was. */
const eraseContacts = `
  update contacts
  set email = null, email_key = null, phone_number = null, phone_key = null,
      first_name = null, last_name = null, tp_reference_id = null, metadata = null
  where organization_id = $1 and email_key = $2
  returning id`;

/**
 * Runs keep how a repeated record differed from the stored one; a contact's old and new values are among it. They are
 * found first and erased by their keys, because an update that reads json as text cannot be sent to a shard.
 */
const findDifferences = `
  select run_id, position from import_exceptions
  where organization_id = $1 and differences is not null
    and (
      position($2 in lower(differences::text)) > 0
      or reference in (
        select transaction_id from transactions where organization_id = $1 and contact_id = any ($3)
      )
    )`;
const eraseDifferences = `
  update import_exceptions set differences = null
  where organization_id = $1 and (run_id, position) in (
    select run_id, position from unnest($2::uuid[], $3::integer[]) as found (run_id, position)
  )`;

/** Removes what is stored under a person's e-mail address, all or nothing. */
export async function deletePerson(pool: pg.Pool, query: PersonQuery): Promise<PersonDeletion> {
  return transaction(pool, async (client) => {
    const email = await requirePerson(client, query);
    const { organizationId } = query;
    // Imports of the organization wait, so that none of them finds the contact while it is being erased.
    await client.query("select from import_turns where organization_id = $1 for no key update", [
      organizationId,
    ]);
    const leads = await client.query("delete from leads where organization_id = $1 and email_key = $2", [
      organizationId,
      email,
    ]);
    const contacts = await client.query<{ id: string }>(eraseContacts, [organizationId, email]);
    const found = await client.query<{ run_id: string; position: number }>(findDifferences, [
      organizationId,
      email,
      contacts.rows.map((row) => row.id),
    ]);
    const differences = await client.query(eraseDifferences, [
      organizationId,
      found.rows.map((row) => row.run_id),
      found.rows.map((row) => row.position),
    ]);
    const deletion: PersonDeletion = {
      leadsDeleted: leads.rowCount ?? 0,
      contactsErased: contacts.rows.length,
      differencesErased: differences.rowCount ?? 0,
    };
    await writeAudit(client, {
      organizationId,
      actor: query.actor,
      action: "person.delete",
      detail: { emailSha256: hashedEmail(email), ...deletion },
    });
    return deletion;
  });
}

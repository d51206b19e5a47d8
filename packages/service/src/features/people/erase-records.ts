import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import { storedAccount } from "../../core/entities/account.js";
import { storedContact } from "../../core/entities/contact.js";
import type { StoredEntity } from "../../core/entities/stored-entity.js";
import { deleteLead } from "../../core/leads/delete-lead.js";
import { releaseStorage } from "../../core/organizations/quotas.js";
import { lowestUuid } from "../../core/uuidv7.js";
import { addErased, addToCount, readErased } from "./erasure-state.js";
import { findAccounts, findContacts, findLeads } from "./find-person.js";
import type { Person } from "./person.js";

export interface Erasure {
  pool: pg.Pool;
  person: Person;
  rowsPerStep: number;
}

/**
 * Rows keep their ids, because others are linked to them, but no personal data. They are updated one by one: for several ids the
 * planner may scan all rows of the organization.
 */
const eraseContact = eraseStatement(storedContact);
const eraseAccountContact = eraseStatement(storedAccount);

function eraseStatement({ entity, table, columns, matches }: StoredEntity): string {
  const { personalFields = [] } = entity;
  const isPersonal = (field: string) => personalFields === "all" || personalFields.includes(field);
  const erased = [
    ...columns.filter(({ field }) => isPersonal(field)).map(({ name }) => name),
    ...matches
      .filter(({ match, isDerived }) => isDerived && isPersonal(match.field))
      .map(({ column }) => column),
  ];
  return `
    update ${table} set ${erased.map((column) => `${column} = null`).join(", ")}
    where organization_id = $1 and id = $2`;
}

/** Erases the person's contact, and the contact fields of accounts whose contact is the person. */
export async function eraseContacts({ pool, person, rowsPerStep }: Erasure): Promise<void> {
  const { organizationId } = person;
  let erased: number;
  do {
    erased = await transaction(pool, async (client) => {
      // Imports wait for this step, so that none stores what it has read of the contact before.
      await client.query("select from import_turns where organization_id = $1 for no key update", [
        organizationId,
      ]);
      const contacts = await findContacts(client, person, rowsPerStep);
      const accounts = await findAccounts(client, person, rowsPerStep);
      for (const id of contacts) await client.query(eraseContact, [organizationId, id]);
      for (const id of accounts) await client.query(eraseAccountContact, [organizationId, id]);
      await addErased(client, person, { contacts, accounts });
      return Math.max(contacts.length, accounts.length);
    });
  } while (erased >= rowsPerStep);
}

/** Deletes the person's leads with their notes and states. */
export async function deleteLeads({ pool, person, rowsPerStep }: Erasure): Promise<void> {
  const { organizationId } = person;
  let deleted: number;
  do {
    deleted = await transaction(pool, async (client) => {
      // Every transaction locks leads in this order, which prevents deadlocks.
      const ids = (await findLeads(client, person, rowsPerStep)).toSorted();
      let notes = 0;
      let bytes = 0;
      for (const id of ids) {
        const lead = await deleteLead(client, organizationId, id);
        notes += lead.notes;
        bytes += lead.bytes;
      }
      await addToCount(client, person, "leads_deleted", ids.length);
      await addToCount(client, person, "lead_notes_deleted", notes);
      // Last, because imports wait for it.
      if (bytes > 0) await releaseStorage(client, organizationId, bytes);
      return ids.length;
    });
  } while (deleted >= rowsPerStep);
}

/**
 * Erases how resent transactions and accounts of the person differed from the stored ones, whether or not the differences mention
 * the person. Only the row of the erasure still says which contacts and accounts they were.
 */
export async function eraseDifferences(erasure: Erasure): Promise<void> {
  const { pool, person, rowsPerStep } = erasure;
  const { contacts, accounts } = await readErased(pool, person);
  for (const contactId of contacts)
    for (let after = lowestUuid; ;) {
      const { rows } = await pool.query<{ id: string; reference: string }>(
        `select id, transaction_id as reference from transactions
         where organization_id = $1 and contact_id = $2 and id > $3 order by id limit $4`,
        [person.organizationId, contactId, after, rowsPerStep],
      );
      await eraseDifferencesOf(erasure, rows);
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsPerStep) break;
      after = last.id;
    }
  for (const accountId of accounts) {
    const { rows } = await pool.query<{ reference: string }>(
      "select tp_reference_id as reference from accounts where organization_id = $1 and id = $2",
      [person.organizationId, accountId],
    );
    await eraseDifferencesOf(erasure, rows);
  }
}

/** A lateral join, so that the planner uses the index even without statistics. */
const findByReference = `
  select run_id, position
  from unnest($2::text[]) as wanted (reference)
  cross join lateral (
    select run_id, position from import_exceptions
    where organization_id = $1 and reference = wanted.reference and differences is not null
    limit $3
  ) as found
  limit $3`;

async function eraseDifferencesOf(
  { pool, person, rowsPerStep }: Erasure,
  records: readonly { reference: string }[],
): Promise<void> {
  if (records.length === 0) return;
  const { organizationId } = person;
  const references = records.map(({ reference }) => reference);
  let found: number;
  do {
    found = await transaction(pool, async (client) => {
      const { rows } = await client.query<{ run_id: string; position: number }>(findByReference, [
        organizationId,
        references,
        rowsPerStep,
      ]);
      let erased = 0;
      for (const { run_id: runId, position } of rows) {
        const { rowCount } = await client.query(
          `update import_exceptions set differences = null
           where organization_id = $1 and run_id = $2 and position = $3 and differences is not null`,
          [organizationId, runId, position],
        );
        erased += rowCount ?? 0;
      }
      await addToCount(client, person, "differences_erased", erased);
      return rows.length;
    });
  } while (found >= rowsPerStep);
}

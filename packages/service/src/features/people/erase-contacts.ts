import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import { storedAccount } from "../../core/entities/account.js";
import { storedContact } from "../../core/entities/contact.js";
import type { StoredEntity } from "../../core/entities/stored-entity.js";
import type { Erasure } from "./delete-person.js";
import { findAccounts, findContacts } from "./find-records.js";

/**
 * The rows stay under their ids, because others are linked to them; nothing in them tells any more who it was. They are
 * changed one by one: asked for several, the planner may go through all that the organization has.
 */
const eraseContact = erasure(storedContact);
const eraseAccountContact = erasure(storedAccount);

function erasure({ entity, table, columns, matches }: StoredEntity): string {
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

const remember = `
  update person_erasures set contact_ids = contact_ids || $3::uuid[], account_ids = account_ids || $4::uuid[]
  where organization_id = $1 and person_hash = $2`;

/** The person's contact, and what accounts know of their contact person, if it is this one. */
export async function eraseContacts(erasure: Erasure): Promise<void> {
  let erased: number;
  do {
    erased = await transaction(erasure.pool, (client) => eraseSome(client, erasure));
  } while (erased >= erasure.rowsAStep);
}

async function eraseSome(client: pg.PoolClient, erasure: Erasure): Promise<number> {
  const { person, personHash, rowsAStep } = erasure;
  const { organizationId } = person;
  // Imports wait for this one step, so that none of them has read a contact which it writes down when it is erased.
  await client.query("select from import_turns where organization_id = $1 for no key update", [
    organizationId,
  ]);
  const contactIds = await findContacts(client, person);
  const accountIds = await findAccounts(client, person, rowsAStep);
  for (const id of contactIds) await client.query(eraseContact, [organizationId, id]);
  for (const id of accountIds) await client.query(eraseAccountContact, [organizationId, id]);
  await client.query(remember, [organizationId, personHash, contactIds, accountIds]);
  return accountIds.length;
}

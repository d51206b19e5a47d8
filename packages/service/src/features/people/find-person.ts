import type { StoredOfPerson } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { phoneDigitsOf } from "../../core/database/sql.js";
import { transaction } from "../../core/database/transaction.js";
import { lowestUuid } from "../../core/uuidv7.js";
import { isUnfinished } from "./erasure-state.js";
import { emailSkeleton, emailSkeletonOf, isPersons } from "./mentions.js";
import { requirePerson, type Person, type PersonQuery } from "./person.js";

const maxCounted = 1_000;

/**
 * Counts what is stored under a person's email address or phone number, up to a limit. Import runs and uploads are not searched:
 * that would read all of them. Address and number are counted separately, because a number in a form may be another person's.
 */
export async function findPerson(pool: pg.Pool, query: PersonQuery): Promise<StoredOfPerson> {
  return transaction(pool, async (client) => {
    const person = await requirePerson(client, query);
    const byEmail = await findRecords(client, { ...person, phone: undefined }, maxCounted);
    const byPhone = await findRecords(client, { ...person, email: undefined }, maxCounted);
    const leads = [...new Set([...byEmail.leads, ...byPhone.leads])];
    const { rows: notes } = await client.query<{ count: number }>(
      `select count(*)::integer as count from lead_notes
       where organization_id = $1 and lead_id = any ($2::uuid[])`,
      [person.organizationId, leads],
    );
    return {
      leads: leads.length,
      leadNotes: notes[0]?.count ?? 0,
      contacts: new Set([...byEmail.contacts, ...byPhone.contacts]).size,
      accounts: new Set([...byEmail.accounts, ...byPhone.accounts]).size,
      byEmail: person.email === undefined ? null : countsOf(byEmail),
      byPhone: person.phone === undefined ? null : countsOf(byPhone),
      isUnfinished: await isUnfinished(client, person),
    };
  });
}

function countsOf({ leads, contacts, accounts }: FoundRecords) {
  return { leads: leads.length, contacts: contacts.length, accounts: accounts.length };
}

/** The ids of the person's records. */
export interface FoundRecords {
  leads: string[];
  contacts: string[];
  /** Accounts whose contact is the person. */
  accounts: string[];
}

/** Finds at most `limit` records of each kind by email and by phone, each by an index. */
export async function findRecords(
  client: pg.ClientBase,
  person: Person,
  limit: number,
): Promise<FoundRecords> {
  return {
    leads: await findLeads(client, person, limit),
    contacts: await findContacts(client, person, limit),
    accounts: await findAccounts(client, person, limit),
  };
}

export const findContacts = finder("contacts", emailKey("email_key"), phoneKey("phone_key"));
export const findLeads = finder("leads", emailKey("email_key"), phoneText("phone"));
export const findAccounts = finder("accounts", emailText("contact_email"), phoneText("contact_phone_number"));

interface Lookup {
  column: string;
  keyOf: (person: Person) => string | undefined;
  /** The indexed expression of a column that holds any spelling. */
  indexed?: string;
}

function emailKey(column: string): Lookup {
  return { column, keyOf: ({ email }) => email };
}

function phoneKey(column: string): Lookup {
  return { column, keyOf: ({ phone }) => phone };
}

function emailText(column: string): Lookup {
  return { column, keyOf: ({ email }) => email && emailSkeleton(email), indexed: emailSkeletonOf(column) };
}

function phoneText(column: string): Lookup {
  return { column, keyOf: ({ phone }) => phone, indexed: phoneDigitsOf(column) };
}

function finder(table: string, ...lookups: readonly Lookup[]) {
  return async (client: pg.ClientBase, person: Person, limit: number): Promise<string[]> => {
    const ids: string[] = [];
    for (const { column, keyOf, indexed } of lookups) {
      const key = keyOf(person);
      if (key === undefined) continue;
      const search = { table, column, key, limit };
      ids.push(
        ...(indexed === undefined
          ? await findByKey(client, person, search)
          : await findByText(client, person, { ...search, indexed })),
      );
    }
    return [...new Set(ids)];
  };
}

interface Search {
  table: string;
  column: string;
  key: string;
  limit: number;
}

async function findByKey(
  client: pg.ClientBase,
  { organizationId }: Person,
  { table, column, key, limit }: Search,
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from ${table} where organization_id = $1 and ${column} = $2 limit $3`,
    [organizationId, key, limit],
  );
  return rows.map(({ id }) => id);
}

/** Several persons may share an indexed value. Reads page by page until enough rows are the person's. */
async function findByText(
  client: pg.ClientBase,
  person: Person,
  { table, column, indexed, key, limit }: Search & { indexed: string },
): Promise<string[]> {
  const found: string[] = [];
  let after = lowestUuid;
  for (;;) {
    const { rows } = await client.query<{ id: string; spelled: string }>(
      `select id, ${column} as spelled from ${table}
       where organization_id = $1 and ${column} is not null and ${indexed} = $2 and id > $3
       order by id limit $4`,
      [person.organizationId, key, after, limit],
    );
    found.push(...rows.filter(({ spelled }) => isPersons(person, spelled)).map(({ id }) => id));
    if (rows.length < limit || found.length >= limit) return found;
    after = rows.at(-1)?.id as string;
  }
}

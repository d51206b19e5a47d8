import type pg from "pg";
import { phoneDigitsOf } from "../../core/database/phone-digits.js";
import { emailSkeleton, emailSkeletonOf, isPersons, type Person } from "./person.js";
import { lowestUuid } from "../../core/uuidv7.js";

/** Where the person's records are. Every question is one look into one index. */
export interface FoundRecords {
  leads: string[];
  contacts: string[];
  /** Whose contact the person is. */
  accounts: string[];
}

/** At most so many of each by e-mail and by phone. */
export async function findRecords(
  client: pg.ClientBase,
  person: Person,
  limit: number,
): Promise<FoundRecords> {
  return {
    leads: await findLeads(client, person, limit),
    contacts: await findContacts(client, person),
    accounts: await findAccounts(client, person, limit),
  };
}

export async function findContacts(client: pg.ClientBase, person: Person): Promise<string[]> {
  const { organizationId, email, phone } = person;
  const ids: string[] = [];
  for (const [column, key] of [
    ["email_key", email],
    ["phone_key", phone],
  ] as const) {
    if (key === undefined) continue;
    const { rows } = await client.query<{ id: string }>(
      `select id from contacts where organization_id = $1 and ${column} = $2`,
      [organizationId, key],
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return [...new Set(ids)];
}

/** Accounts whose contact the person is, at most so many by e-mail and by phone. */
export async function findAccounts(client: pg.ClientBase, person: Person, limit: number): Promise<string[]> {
  const byEmail =
    person.email === undefined
      ? []
      : await findSpelled(client, person, {
          table: "accounts",
          column: "contact_email",
          indexed: emailSkeletonOf("contact_email"),
          key: emailSkeleton(person.email),
          limit,
        });
  const byPhone =
    person.phone === undefined
      ? []
      : await findSpelled(client, person, {
          table: "accounts",
          column: "contact_phone_number",
          indexed: phoneDigitsOf("contact_phone_number"),
          key: person.phone,
          limit,
        });
  return [...new Set([...byEmail, ...byPhone])];
}

export async function findLeads(client: pg.ClientBase, person: Person, limit: number): Promise<string[]> {
  const { organizationId, email, phone } = person;
  const ids: string[] = [];
  if (email !== undefined) {
    const { rows } = await client.query<{ id: string }>(
      "select id from leads where organization_id = $1 and email_key = $2 limit $3",
      [organizationId, email, limit],
    );
    ids.push(...rows.map(({ id }) => id));
  }
  if (phone !== undefined) {
    const indexed = phoneDigitsOf("phone");
    ids.push(
      ...(await findSpelled(client, person, { table: "leads", column: "phone", indexed, key: phone, limit })),
    );
  }
  return [...new Set(ids)];
}

interface Spelling {
  table: "accounts" | "leads";
  column: string;
  /** The expression that is indexed, and what it is for the person. */
  indexed: string;
  key: string;
  limit: number;
}

/** Goes on where others share the indexed key, until there are enough or no more of the person. */
async function findSpelled(client: pg.ClientBase, person: Person, spelling: Spelling): Promise<string[]> {
  const { table, column, indexed, key, limit } = spelling;
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

import { maxCountedLeads } from "@gatehouse-parking/contract";
import type pg from "pg";
import { phoneDigitsOf } from "../database/sql.js";

/** The values that identify the leads of one person, spelled as an erasure compares them. */
export interface PersonOfLead {
  emailKey: string;
  phoneDigits: string | null;
}

/**
 * Identifiers of the newest leads with this email and this phone number, at most `limit` of each. Each is one
 * index lookup.
 */
export const leadsOfPerson = (email: string, digits: string, limit: number): string => `
  select by_email.id from (
    select id from leads where organization_id = $1 and email_key = ${email}
    order by created_at desc limit ${limit}
  ) as by_email
  union
  select by_phone.id from (
    select id from leads
    where organization_id = $1 and phone is not null and ${phoneDigitsOf("phone")} = ${digits}
    order by id desc limit ${limit}
  ) as by_phone`;

const countOfEach = `
  select least(found.count, ${maxCountedLeads}) as count
  from unnest($2::text[], $3::text[]) with ordinality as asked (email_key, digits, position)
  cross join lateral (
    select count(*)::integer as count
    from (${leadsOfPerson("asked.email_key", "asked.digits", maxCountedLeads)}) as same
  ) as found
  order by asked.position`;

/** The number of leads of each of these persons, in their order. */
export async function countLeadsOfPeople(
  pool: pg.Pool,
  organizationId: string,
  people: readonly PersonOfLead[],
): Promise<number[]> {
  if (people.length === 0) return [];
  const { rows } = await pool.query<{ count: number }>(countOfEach, [
    organizationId,
    people.map((person) => person.emailKey),
    people.map((person) => person.phoneDigits),
  ]);
  return rows.map(({ count }) => count);
}

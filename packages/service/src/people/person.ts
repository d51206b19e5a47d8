import { createHash } from "node:crypto";
import { emailKey, isEmail, isPhone, isStorableText, phoneDigits } from "@gatehouse-parking/contract";
import type pg from "pg";
import type { Actor } from "../audit/audit.js";
import { InvalidInput } from "../refusals/invalid-input.js";
import { requireOrganization } from "../organizations/organizations.js";

/** A person, as an organization knows them: by e-mail address, by phone number, or by either. */
export interface PersonQuery {
  organizationId: string;
  email?: string | undefined;
  phone?: string | undefined;
  actor: Actor;
}

/** What records of the person are matched by. */
export interface Person {
  organizationId: string;
  email: string | undefined;
  phone: string | undefined;
}

/** Throws unless organization, address and number are in order. */
export async function requirePerson(
  connection: pg.ClientBase | pg.Pool,
  { organizationId, email, phone }: PersonQuery,
): Promise<Person> {
  await requireOrganization(connection, organizationId);
  if (email === undefined && phone === undefined)
    throw new InvalidInput("Name the person's e-mail address, phone number, or both");
  if (email !== undefined && !(isEmail(email) && isStorableText(email)))
    throw new InvalidInput(`"${email}" is not an e-mail address`);
  if (phone !== undefined && !isPhone(phone)) throw new InvalidInput(`"${phone}" is not a phone number`);
  return {
    organizationId,
    email: email === undefined ? undefined : emailKey(email),
    phone: phone === undefined ? undefined : phoneDigits(phone),
  };
}

/**
 * By which the database finds addresses; several may share one, so `isPersons` decides. The migration
 * accounts_by_contact_email says why it is so.
 */
export const emailSkeletonOf = (column: string): string =>
  `lower(regexp_replace(${column} collate "C", '[^!-~]|[ikIK]', '', 'g'))`;
export function emailSkeleton(key: string): string {
  return key.replaceAll(/[^!-~]|[ik]/g, "");
}

/** Whether an address or number is the person's, however it is spelled. */
export function isPersons(person: Person, text: string): boolean {
  const isTheirEmail = person.email !== undefined && emailKey(text) === person.email;
  return isTheirEmail || (person.phone !== undefined && phoneDigits(text) === person.phone);
}

/** Whether a text of any kind has the address in it, or is the number. */
export function mentions(person: Person, text: string): boolean {
  if (person.email !== undefined && text.toLowerCase().includes(person.email)) return true;
  return person.phone !== undefined && isPhone(text) && phoneDigits(text) === person.phone;
}

/** Fewer digits are no number that somebody could be called under. */
const shortestNumber = 7;

/** Whether a text that people wrote has the address in it, or the number among other words, in national spelling too. */
export function mentionsInText(person: Person, text: string): boolean {
  if (mentions(person, text)) return true;
  const { phone } = person;
  if (phone === undefined) return false;
  const runs = text.match(/\d[^\p{L}]*/gu) ?? [];
  return runs.some((run) => isNumberIn(phone, run.match(/\d+/g) ?? []));
}

/** Other numbers, such as a time of day, may stand before and behind it; and a zero instead of the country code. */
function isNumberIn(phone: string, groups: readonly string[]): boolean {
  const number = withoutZeros(phone).length >= shortestNumber ? withoutZeros(phone) : phone;
  if (groups.join("").includes(number)) return true;
  return groups.some((_, first) => {
    let digits = "";
    for (let at = first; at < groups.length && digits.length < phone.length; at += 1) {
      digits = withoutZeros(digits + groups[at]);
      if (digits.length >= shortestNumber && number.endsWith(digits)) return true;
    }
    return false;
  });
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+/, "");
}

/**
 * The audit log must not keep the very address that was deleted; its hash still answers "was it this one?". Phone
 * numbers are so few that a hash would tell them, so of those nothing is kept.
 */
export function auditedPerson({ email, phone }: Person): Record<string, unknown> {
  return {
    ...(email !== undefined && { emailSha256: createHash("sha256").update(email).digest("hex") }),
    ...(phone !== undefined && { byPhone: true }),
  };
}

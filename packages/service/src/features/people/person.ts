import { createHash } from "node:crypto";
import { emailKey, isEmail, isPhone, isStorableText, phoneDigits } from "@gatehouse-parking/contract";
import type pg from "pg";
import type { Actor } from "../../core/audit/audit.js";
import { requireOrganization } from "../../core/organizations/organizations.js";
import { invalidInput } from "../../core/refusals/user-error.js";

/** An email address, a phone number, or both, as a user typed them. */
export interface PersonQuery {
  organizationId: string;
  email?: string | undefined;
  phone?: string | undefined;
  actor: Actor;
}

/** The same in the form in which addresses and numbers are compared. */
export interface Person {
  organizationId: string;
  email: string | undefined;
  phone: string | undefined;
}

/** Throws if the organization does not exist, or the address or number is invalid. */
export async function requirePerson(
  connection: pg.ClientBase | pg.Pool,
  { organizationId, email, phone }: PersonQuery,
): Promise<Person> {
  await requireOrganization(connection, organizationId);
  if (email === undefined && phone === undefined)
    throw invalidInput("Enter the person's email address, phone number, or both");
  if (email !== undefined && !(isEmail(email) && isStorableText(email)))
    throw invalidInput(`"${email}" is not an email address`);
  if (phone !== undefined && !isPhone(phone)) throw invalidInput(`"${phone}" is not a phone number`);
  return {
    organizationId,
    email: email === undefined ? undefined : emailKey(email),
    phone: phone === undefined ? undefined : phoneDigits(phone),
  };
}

/** Identifies the person's row in person_erasures without storing the address or number. */
export function hashOf(person: Person): Buffer {
  return sha256(JSON.stringify([person.email, person.phone]));
}

/**
 * What the audit log keeps. A hash of the address can still answer whether a given address was erased. There are so few phone
 * numbers that a hash would reveal the number, so none is kept.
 */
export function auditedPerson({ email, phone }: Person): { emailSha256?: string; byPhone?: true } {
  return {
    ...(email !== undefined && { emailSha256: sha256(email).toString("hex") }),
    ...(phone !== undefined && { byPhone: true }),
  };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

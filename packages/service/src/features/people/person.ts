import { createHash } from "node:crypto";
import { emailKey, isEmail, isPhone, isStorableText, phoneDigits } from "@gatehouse-parking/contract";
import type pg from "pg";
import type { Actor } from "../../core/audit/audit.js";
import { invalidInput } from "../../core/refusals/user-error.js";
import { requireOrganization } from "../../core/organizations/organizations.js";

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
    throw invalidInput("Name the person's e-mail address, phone number, or both");
  if (email !== undefined && !(isEmail(email) && isStorableText(email)))
    throw invalidInput(`"${email}" is not an e-mail address`);
  if (phone !== undefined && !isPhone(phone)) throw invalidInput(`"${phone}" is not a phone number`);
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

/** Whether a value has the person's address or whole number in it, also percent-encoded as in the address of a page. */
export function mentions(person: Person, text: string): boolean {
  return spellingsOf(text).some(
    (spelling) =>
      (person.email !== undefined && hasAddress(person.email, spelling)) ||
      (person.phone !== undefined && hasNumber(person.phone, spelling)),
  );
}

function spellingsOf(text: string): string[] {
  const decoded = text.replaceAll(/(?:%[0-9a-f]{2})+/gi, decodePercent);
  return decoded === text ? [text] : [text, decoded];
}

function decodePercent(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/**
 * Letters of scripts that write no spaces do not extend an address. Of the other characters that a local part may have, only those
 * that people choose do: "=" and "/" stand before addresses in links.
 */
const letterOrDigit = String.raw`\p{Script=Latin}\p{Script=Inherited}\d`;
const localPartCharacter = new RegExp(`[${letterOrDigit}._+'-]`, "u");
const domainStart = new RegExp(`^[${letterOrDigit}.-]*[${letterOrDigit}]`, "u");
const topLevelDomain = /^(?:\p{Script=Latin}{2,}|xn--[a-z\d-]+)$/u;
const hasLetterOrDigit = new RegExp(`[${letterOrDigit}]`, "u");
const endsInLetterOrDigit = new RegExp(`[${letterOrDigit}]$`, "u");
/** What follows an address in the name of a file. */
const restOfFileName =
  /^(?:_|(?![a-z])[\w.-]*(?: ?\(\d+\))?\.(?:csv|docx?|eml|gz|html?|jpe?g|json|log|msg|ods|pdf|png|tsv|txt|xlsx?|xml|zip)(?![\w-]))/;
const longestLocalPart = 320;

/**
 * What extends it is another address: neither jo.smith@x.test nor smith@x.test.au has smith@x.test in it. In the name of a file,
 * dots, hyphens and underscores stand between words, so there the address is found even if it may be the end of a longer one.
 */
function hasAddress(email: string, text: string): boolean {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(email); at !== -1; at = lower.indexOf(email, at + 1)) {
    const end = at + email.length;
    const before = localPartBefore(lower, at);
    const after = lower.slice(end, end + longestLocalPart);
    const isOther = restOfFileName.test(after)
      ? endsInLetterOrDigit.test(before)
      : hasLetterOrDigit.test(before) || extendsDomain(email, after);
    if (!isOther) return true;
  }
  return false;
}

function localPartBefore(text: string, end: number): string {
  const limit = Math.max(0, end - longestLocalPart);
  let start = end;
  while (start > limit && localPartCharacter.test(text[start - 1] as string)) start -= 1;
  return text.slice(start, end);
}

/** Digits and words behind a hyphen make no other domain: top-level domains have neither. */
function extendsDomain(email: string, after: string): boolean {
  const more = domainStart.exec(after)?.[0];
  return more !== undefined && topLevelDomain.test((email + more).split(".").at(-1) ?? "");
}

/** The digits may stand in groups, with anything but letters between them. */
function hasNumber(phone: string, text: string): boolean {
  const runs = text.match(/\d[^\p{L}]*/gu) ?? [];
  return runs.some((run) => {
    const groups = run.match(/\d+/g) ?? [];
    return groups.some((_, first) => {
      let digits = "";
      for (let at = first; at < groups.length && digits.length < phone.length; at += 1) {
        digits += groups[at];
        if (withoutZeros(digits) === withoutZeros(phone)) return true;
      }
      return false;
    });
  });
}

/** Shorter digit strings are not valid phone numbers. */
const shortestNumber = 7;

/** Whether a text that people wrote has the address in it, or the number, in national spelling too. */
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

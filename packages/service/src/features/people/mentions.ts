import { emailKey, phoneDigits } from "@gatehouse-parking/contract";
import type { Person } from "./person.js";

/**
 * The indexed form of a stored address. Several addresses may share one, so `isPersons` decides. The migration
 * accounts_by_contact_email explains the form.
 */
export const emailSkeletonOf = (column: string): string =>
  `lower(regexp_replace(${column} collate "C", '[^!-~]|[ikIK]', '', 'g'))`;
export function emailSkeleton(key: string): string {
  return key.replaceAll(/[^!-~]|[ik]/g, "");
}

/** Whether an address or number is the person's, in any spelling. */
export function isPersons(person: Person, text: string): boolean {
  const isTheirEmail = person.email !== undefined && emailKey(text) === person.email;
  return isTheirEmail || (person.phone !== undefined && phoneDigits(text) === person.phone);
}

/** Whether a value contains the person's address or whole number, percent-encoded or not. */
export function mentions(person: Person, text: string): boolean {
  return spellingsOf(text).some(
    (spelling) =>
      (person.email !== undefined && hasAddress(person.email, spelling)) ||
      (person.phone !== undefined && hasNumber(person.phone, spelling)),
  );
}

/** Whether a text that people wrote contains the address, or the number with or without its country code. */
export function mentionsInText(person: Person, text: string): boolean {
  if (mentions(person, text)) return true;
  const { phone } = person;
  return phone !== undefined && digitGroups(text).some((groups) => isNumberIn(phone, groups));
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
 * Letters of scripts without spaces do not extend an address. Of the other characters that a local part may contain, only those
 * that people choose do: "=" and "/" precede addresses in links.
 */
const letterOrDigit = String.raw`\p{Script=Latin}\p{Script=Inherited}\d`;
const localPartCharacter = new RegExp(`[${letterOrDigit}._+'-]`, "u");
const domainStart = new RegExp(`^[${letterOrDigit}.-]*[${letterOrDigit}]`, "u");
const topLevelDomain = /^(?:\p{Script=Latin}{2,}|xn--[a-z\d-]+)$/u;
const hasLetterOrDigit = new RegExp(`[${letterOrDigit}]`, "u");
const endsInLetterOrDigit = new RegExp(`[${letterOrDigit}]$`, "u");
const restOfFileName =
  /^(?:_|(?![a-z])[\w.-]*(?: ?\(\d+\))?\.(?:csv|docx?|eml|gz|html?|jpe?g|json|log|msg|ods|pdf|png|tsv|txt|xlsx?|xml|zip)(?![\w-]))/;
const longestLocalPart = 320;

/**
 * Neither jo.smith@x.test nor smith@x.test.au contains smith@x.test: both are other addresses. In a file name, dots, hyphens and
 * underscores separate words, so there the address is found even if it may be the end of a longer one.
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

/** Digits, or words after a hyphen, do not make another domain: top-level domains have neither. */
function extendsDomain(email: string, after: string): boolean {
  const more = domainStart.exec(after)?.[0];
  return more !== undefined && topLevelDomain.test((email + more).split(".").at(-1) ?? "");
}

/** Groups of digits with anything but letters between them. */
function digitGroups(text: string): string[][] {
  return (text.match(/\d[^\p{L}]*/gu) ?? []).map((run) => run.match(/\d+/g) ?? []);
}

function hasNumber(phone: string, text: string): boolean {
  return digitGroups(text).some((groups) =>
    groups.some((_, first) => {
      let digits = "";
      for (let at = first; at < groups.length && digits.length < phone.length; at += 1) {
        digits += groups[at];
        if (withoutZeros(digits) === withoutZeros(phone)) return true;
      }
      return false;
    }),
  );
}

/** Shorter digit strings are not valid phone numbers. */
const shortestNumber = 7;

/** Other numbers, such as a time of day, may surround it, and a zero may replace the country code. */
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

/** The last digits of the number, which every spelling of it contains. */
export function commonDigits(phone: string): string {
  return withoutZeros(phone).slice(-shortestNumber);
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+/, "");
}

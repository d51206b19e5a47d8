import { importPhoneDigits, leadPhoneDigits } from "../limits.js";

/** Checks of wire formats. Every check is linear in the length of its input. */

const earliest = Date.parse("0000-01-01T00:00:00.000Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Milliseconds since 1970, or undefined if the text is not a valid timestamp. A time needs seconds and a zone. A date
 * alone means midnight UTC and is accepted only with `dateAlone`. Unlike Date.parse, this rejects impossible dates.
 * A batch holds thousands of timestamps, so they are read character by character without allocating objects.
 */
export function parseTimestamp(text: string, dateAlone = false): number | undefined {
  const days = daysSince1970(digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2));
  if (days === undefined || text[4] !== "-" || text[7] !== "-") return undefined;
  if (text.length === 10) return dateAlone ? days * 86_400_000 : undefined;

  const hours = digits(text, 11, 2);
  const minutes = digits(text, 14, 2);
  const seconds = digits(text, 17, 2);
  if (text[10] !== "T" || text[13] !== ":" || text[16] !== ":") return undefined;
  if (!(hours <= 23 && minutes <= 59 && seconds <= 59)) return undefined;

  let zoneAt = 19;
  let milliseconds = 0;
  if (text[19] === ".") {
    zoneAt = 20;
    while (isDigit(text.charCodeAt(zoneAt))) zoneAt += 1;
    if (zoneAt === 20) return undefined;
    milliseconds = Number(text.slice(20, Math.min(zoneAt, 23)).padEnd(3, "0"));
  }
  const offsetMinutes = readOffset(text, zoneAt);
  if (offsetMinutes === undefined) return undefined;
  const moment = (((days * 24 + hours) * 60 + minutes - offsetMinutes) * 60 + seconds) * 1000 + milliseconds;
  // An offset can move the timestamp out of the range of four-digit years.
  return moment < earliest || moment > latest ? undefined : moment;
}

/** Z, +hh:mm, +hhmm or +hh, in minutes; undefined for anything else. */
function readOffset(text: string, at: number): number | undefined {
  const sign = text[at];
  const length = text.length - at;
  if (sign === "Z") return length === 1 ? 0 : undefined;
  if (sign !== "+" && sign !== "-") return undefined;
  const hours = digits(text, at + 1, 2);
  const hasColon = text[at + 3] === ":";
  const minutes = length === 3 ? 0 : digits(text, at + (hasColon ? 4 : 3), 2);
  const fits = length === 3 || length === (hasColon ? 6 : 5);
  if (!fits || !(hours <= 23 && minutes <= 59)) return undefined;
  return (hours * 60 + minutes) * (sign === "-" ? -1 : 1);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The number formed by `count` digits at `start`; NaN if a character is not a digit. */
function digits(text: string, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at += 1) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) return Number.NaN;
    value = value * 10 + code - 0x30;
  }
  return value;
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/** Undefined for a day that does not exist. */
function daysSince1970(year: number, month: number, day: number): number | undefined {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const length = monthLengths[month - 1];
  if (length === undefined || Number.isNaN(year)) return undefined;
  if (!(day >= 1 && day <= length + (month === 2 && isLeap ? 1 : 0))) return undefined;
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  const dayOfYear = (daysBeforeMonth[month - 1] as number) + day - 1 + (month > 2 && isLeap ? 1 : 0);
  return before * 365 + leapDays + dayOfYear - daysFromYear1To1970;
}

const daysFromYear1To1970 = 719_162;

/**
 * Checks the standard format, not deliverability: a local part, an @, and a domain with a dot and labels in any script.
 * Ignores surrounding spaces; rejects tabs, line breaks and other control characters.
 */
export function isEmail(text: string): boolean {
  return emailShape.test(text);
}

const emailAtom = String.raw`[^\s@."(),:;<>[\]\\\p{Cc}]+`;
/** In Thai, Hindi and many other scripts, letters include marks; joiners and middle dots occur inside words. */
const emailLabel = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}\u00b7\u0375\u05f3\u05f4\u200c\u200d\u30fb-]*[\p{L}\p{N}\p{M}])?`;
const emailEdge = String.raw`[\p{Zs}\ufeff]*`;
const emailShape = new RegExp(
  `^${emailEdge}${emailAtom}(?:\\.${emailAtom})*@${emailLabel}(?:\\.${emailLabel})+${emailEdge}$`,
  "u",
);
/**
 * The pattern in openapi.json. It accepts everything that `isEmail` accepts, and more: JSON Schema recommends a small
 * subset of regular expressions, and other tools may not support \p{L} or the u flag.
 */
export const publishedEmail = /^[^@]+@[^@.]+(\.[^@.]+)+$/;

/** Imports: 5 to 15 digits, an optional leading +, and common separators. */
export function isPhone(text: string): boolean {
  return /^\+?[\d ().\-/]+$/.test(text) && digitsWithin(text, importPhoneDigits);
}

/** Leads: the country code is required. */
export function isLeadPhone(text: string): boolean {
  return /^\+[\d ().\-/]+$/.test(text) && digitsWithin(text, leadPhoneDigits);
}

function digitsWithin(text: string, range: { minimum: number; maximum: number }): boolean {
  const digits = phoneDigits(text).length;
  return digits >= range.minimum && digits <= range.maximum;
}

export function phoneDigits(text: string): string {
  return text.replaceAll(/\D/g, "");
}

/** Vehicles are matched by this: upper case, letters and digits only. */
export function plateKey(licensePlate: string): string {
  return licensePlate.toUpperCase().replaceAll(/[^\p{L}\p{Nd}]/gu, "");
}

/** Contacts and leads are matched by this. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/** PostgreSQL cannot store U+0000 or half of a surrogate pair. Such text is rejected rather than altered. */
export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && (text as string & { isWellFormed(): boolean }).isWellFormed();
}

/** Lengths are code points; only text with more code units than allowed needs counting. */
export function isWithinLength(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return true;
  if (text.length > maxLength * 2) return false;
  let codePoints = 0;
  for (const _ of text) codePoints += 1;
  return codePoints <= maxLength;
}

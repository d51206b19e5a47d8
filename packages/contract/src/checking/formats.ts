import { importPhoneDigits, leadPhoneDigits } from "../limits.js";

/** What counts as well-formed on the wire. Every check is linear in the length of its input. */

const earliest = Date.parse("0000-01-01T00:00:00.000Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Milliseconds since 1970, or undefined if the text is no moment. A time needs seconds and a zone; a date alone
 * (midnight UTC) is taken only where `dateAlone` says so. Unlike Date.parse, dates that do not exist are refused.
 * A batch has thousands of them, so they are read character by character, which makes no objects.
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
  // An offset can carry the moment out of the years that the answer's four digits can show.
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

/** The number that `count` digits at `start` spell; NaN if they are no digits. */
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

/** Undefined for a day that the calendar does not have. */
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
 * Standard format, not deliverability: something, an @, and a domain with a dot, whose labels may be of any script.
 * Spaces around it are ignored; tabs, line breaks and other control characters are nowhere.
 */
export function isEmail(text: string): boolean {
  return emailShape.test(text);
}

const emailAtom = String.raw`[^\s@."(),:;<>[\]\\\p{Cc}]+`;
/** In Thai, Hindi and many other scripts, marks are part of the letters; joiners and middle dots occur inside words. */
const emailLabel = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}\u00b7\u0375\u05f3\u05f4\u200c\u200d\u30fb-]*[\p{L}\p{N}\p{M}])?`;
const emailEdge = String.raw`[\p{Zs}\ufeff]*`;
const emailShape = new RegExp(
  `^${emailEdge}${emailAtom}(?:\\.${emailAtom})*@${emailLabel}(?:\\.${emailLabel})+${emailEdge}$`,
  "u",
);
/**
 * As openapi.json publishes it. It accepts all that `isEmail` does and more, because it keeps to what JSON Schema recommends for
 * patterns: other tools do not know \p{L}, and not every one has the u flag.
 */
export const publishedEmail = /^[^@]+@[^@.]+(\.[^@.]+)+$/;

/** Imports: 5 to 15 digits, a leading + if wanted, and the separators people write. */
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

/** What vehicles are matched by: upper case, letters and digits only. */
export function plateKey(licensePlate: string): string {
  return licensePlate.toUpperCase().replaceAll(/[^\p{L}\p{Nd}]/gu, "");
}

/** What contacts and leads are matched by. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

/** PostgreSQL holds neither U+0000 nor half of a surrogate pair; such text is refused rather than altered. */
export function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && (text as string & { isWellFormed(): boolean }).isWellFormed();
}

/** Lengths are counted in code points; only a text with more code units than allowed needs the count. */
export function isWithinLength(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return true;
  if (text.length > maxLength * 2) return false;
  let codePoints = 0;
  for (const _ of text) codePoints += 1;
  return codePoints <= maxLength;
}

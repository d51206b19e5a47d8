import { importPhoneDigits, leadPhoneDigits } from "../limits.js";

/** What counts as well-formed on the wire. Every check is linear in the length of its input. */

const timestampShape =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):?(\d{2})?))?$/;
const earliest = Date.parse("0000-01-01T00:00:00.000Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Milliseconds since 1970, or undefined if the text is no moment. A time needs seconds and a zone; a date alone
 * (midnight UTC) is taken only where `dateAlone` says so. Unlike Date.parse, dates that do not exist are refused.
 */
export function parseTimestamp(text: string, dateAlone = false): number | undefined {
  const match = timestampShape.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHours, offsetMinutes] = match;
  if (hour === undefined && !dateAlone) return undefined;

  const hours = Number(hour ?? 0);
  const minutes = Number(minute ?? 0);
  const seconds = Number(second ?? 0);
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  if (Number(offsetHours ?? 0) > 23 || Number(offsetMinutes ?? 0) > 59) return undefined;

  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;

  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * (sign === "-" ? -1 : 1);
  const milliseconds = fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, "0"));
  const moment = date.getTime() + ((hours * 60 + minutes - offset) * 60 + seconds) * 1000 + milliseconds;
  // An offset can carry the moment out of the years that the answer's four digits can show.
  return moment < earliest || moment > latest ? undefined : moment;
}

/** Standard format, not deliverability: something, an @, and a domain with a dot. Surrounding spaces are ignored. */
export function isEmail(text: string): boolean {
  const address = text.trim();
  const at = address.lastIndexOf("@");
  const local = address.slice(0, at);
  const labels = address.slice(at + 1).split(".");
  return (
    at > 0 &&
    /^[^\s@"(),:;<>[\]\\\p{Cc}]+$/u.test(local) &&
    !local.startsWith(".") &&
    !local.endsWith(".") &&
    !local.includes("..") &&
    labels.length > 1 &&
    labels.every((label) => /^[\p{L}\p{N}-]+$/u.test(label) && !label.startsWith("-") && !label.endsWith("-"))
  );
}

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

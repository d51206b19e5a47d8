import type { WrittenTime } from "./time-format.js";

const latestSecond = 253_402_300_799;

/** Seconds or milliseconds since 1970, with an optional fraction. */
export function ofEpoch(text: string, shift: 0 | 3): WrittenTime | undefined {
  const match = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text.trim());
  if (!match) return undefined;
  const digits = (match[1] as string).padStart(shift + 1, "0");
  const seconds = Number(digits.slice(0, digits.length - shift));
  const fraction = digits.slice(digits.length - shift) + (match[2] ?? "");
  return seconds > latestSecond ? undefined : { ...ofMoment(seconds * 1000, fraction), zone: "Z" };
}

const dayMs = 86_400_000;
const firstSerialDay = Date.UTC(1899, 11, 30);
/** Some spreadsheets count from 1904. */
const days1904 = 1_462;
/** Earlier serial dates are off by a day, because spreadsheets treat 1900 as a leap year. */
const firstTrueSerial = 61;
const lastSerial = 2_958_465;

/** Days since the end of 1899 in local time, as in spreadsheets. Fractions are rounded to milliseconds. */
export function ofSerial(text: string, is1904 = false): WrittenTime | undefined {
  if (!/^\d{1,7}(?:\.\d{1,15})?$/.test(text.trim())) return undefined;
  const serial = Number(text) + (is1904 ? days1904 : 0);
  if (serial < firstTrueSerial || serial > lastSerial) return undefined;
  const ms = Math.round(serial * dayMs);
  const fraction = ms % 1000 === 0 ? "" : String(ms % 1000).padStart(3, "0");
  const { date, time } = ofMoment(firstSerialDay + Math.floor(ms / 1000) * 1000, fraction);
  // A whole number is a day, and says nothing about the time.
  return { date, time: Number.isInteger(serial) ? undefined : time, zone: undefined };
}

function ofMoment(ms: number, fraction: string): { date: string; time: string } {
  const [date = "", time = ""] = new Date(ms).toISOString().slice(0, 19).split("T");
  return { date, time: fraction === "" ? time : `${time}.${fraction}` };
}

import { isEmail, isLeadPhone, isPhone, isUuid, parseTimestamp, plateKey } from "./formats.js";

/** Years that leave room for a range before and after the date and still have four digits. */
const askedYears = { earliest: 1000, latest: 9998 };
const dateLength = "2026-04-01".length;
const inAskedYears = `in the years ${askedYears.earliest} to ${askedYears.latest}`;

function isAskable(text: string, mayBeDate: boolean): boolean {
  const moment = parseTimestamp(text, mayBeDate);
  if (moment === undefined) return false;
  const year = new Date(moment).getUTCFullYear();
  return year >= askedYears.earliest && year <= askedYears.latest;
}

/** The check and the error message of each format in fields.ts. */
export const formats: Record<string, { fits: (text: string) => boolean; must: string }> = {
  uuid: { fits: isUuid, must: "must be a UUID" },
  timestamp: {
    fits: (text) => parseTimestamp(text) !== undefined,
    must: "must be an existing date and time with a zone, such as 2026-04-01T14:30:00Z",
  },
  "date-or-timestamp": {
    fits: (text) => parseTimestamp(text, true) !== undefined,
    must: "must be an existing date, or date and time with a zone, such as 2026-04-01 or 2026-04-01T14:30:00Z",
  },
  moment: {
    fits: (text) => isAskable(text, false),
    must: `must be a date and time in ISO 8601, with a zone, ${inAskedYears}`,
  },
  "local-date": {
    fits: (text) => text.length === dateLength && isAskable(text, true),
    must: `must be a date such as 2026-04-01, ${inAskedYears}`,
  },
  email: { fits: isEmail, must: "must be an email address" },
  phone: { fits: isPhone, must: "must be a phone number of 5 to 15 digits, such as +1-5550100" },
  "lead-phone": {
    fits: isLeadPhone,
    must: "must be a phone number with + and country code, of 7 to 15 digits",
  },
  "license-plate": { fits: (text) => plateKey(text) !== "", must: "must contain a letter or a digit" },
};

import { expect, test } from "vitest";
import fc from "../../../../testing/properties.js";
import {
  emailKey,
  isEmail,
  isLeadPhone,
  isPhone,
  isStorableText,
  isUuid,
  isWithinLength,
  parseTimestamp,
  publishedEmail,
  plateKey,
} from "./formats.js";

const iso = (text: string, dateAlone = false) => {
  const moment = parseTimestamp(text, dateAlone);
  return moment === undefined ? undefined : new Date(moment).toISOString();
};

/** @covers reading 24 */
test("timestamps with seconds and a zone are accepted, and offsets are converted", () => {
  expect(iso("2026-04-01T14:30:00Z")).toBe("2026-04-01T14:30:00.000Z");
  expect(iso("2026-04-01T14:30:00.5Z")).toBe("2026-04-01T14:30:00.500Z");
  expect(iso("2026-04-01T14:30:00.123456789Z")).toBe("2026-04-01T14:30:00.123Z");
  expect(iso("2026-04-01T00:30:00+05:30")).toBe("2026-03-31T19:00:00.000Z");
  expect(iso("2026-04-01T00:30:00-0400")).toBe("2026-04-01T04:30:00.000Z");
  expect(iso("2024-02-29T00:00:00Z")).toBe("2024-02-29T00:00:00.000Z");
  expect(iso("0050-01-01T00:00:00Z")).toBe("0050-01-01T00:00:00.000Z");
});

/** @covers reading 24 */
test("timestamps without a zone or seconds, and impossible dates and times, are rejected", () => {
  for (const text of [
    "2026-04-01T14:30:00",
    "2026-04-01T14:30Z",
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-04-01T24:00:00Z",
    "2026-04-01T23:59:60Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-04-01T00:00:00+24:00",
    "2026-04-01 14:30:00Z",
    "2026-04-01",
    "9999-12-31T23:59:59-01:00",
    "",
    "now",
  ]) {
    expect(iso(text), text).toBeUndefined();
  }
});

/** @covers reading 24 */
test("where a date alone is allowed, it means midnight UTC", () => {
  expect(iso("2026-04-01", true)).toBe("2026-04-01T00:00:00.000Z");
  expect(iso("2026-02-30", true)).toBeUndefined();
});

const emails = [
  "jo@example.com",
  " Jo.Doe+tag@sub.example.co.uk ",
  `${"a".repeat(308)}@example.com`,
  "jürgen@müller.de",
  "jürgen@mu\u0308ller.de",
  "राम@उदाहरण.भारत",
  "สมชาย@ตัวอย่าง.ไทย",
  "மாறன்@எடுத்துக்காட்டு.இந்தியா",
  "করিম@উদাহরণ.বাংলা",
  "用户@例子.公司",
  "محمد@مثال.إختبار",
  "χρήστης@παράδειγμα.δοκιμή",
  "jo@نامه\u200cای.ایران",
  "jo@col·legi.cat",
  "\u00a0jo@example.com\u3000",
];

/** @covers reading 29 */
test("email addresses in standard format are accepted", () => {
  for (const email of emails) expect(isEmail(email), email).toBe(true);
  for (const email of [
    "",
    "jo",
    "jo@",
    "@example.com",
    "jo@example",
    "jo@@example.com",
    "j o@example.com",
    "jo@ex ample.com",
    ".jo@example.com",
    "jo..doe@example.com",
    "jo@-example.com",
    "jo@example..com",
    "jo@example-.com",
    "jo@\u0308example.com",
    "jo@example.com\n",
    "\r\njo@example.com",
    "\tjo@example.com",
    "jo@example.com\u2028",
    "\u2029jo@example.com",
    "jo@example.com\u0085",
    "j\u0001o@example.com",
    "jo@exa\nmple.com",
  ]) {
    expect(isEmail(email), email).toBe(false);
  }
});

test("the published email pattern accepts every address that the service accepts, without the u flag or Unicode classes", () => {
  expect(publishedEmail.source.replaceAll("\\.", "")).not.toContain("\\");
  for (const email of emails) expect(publishedEmail.test(email), email).toBe(true);
  for (const wrong of ["", "jo", "jo@", "@example.com", "jo@example", "jo@@example.com", "jo@example..com"])
    expect(publishedEmail.test(wrong), wrong).toBe(false);
  const part = fc.string({ unit: "binary", minLength: 1, maxLength: 6 });
  const letters = fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 });
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(part, letters), fc.oneof(part, letters), letters, (local, label, top) => {
      const email = `${local}@${label}.${top}`;
      if (!isEmail(email)) return;
      accepted += 1;
      expect(publishedEmail.test(email), email).toBe(true);
    }),
    { numRuns: 5_000 },
  );
  expect(accepted).toBeGreaterThan(100);
});

/** @covers reading 30 */
test("imports and leads have separate phone number rules", () => {
  for (const phone of ["+1-5550100", "+15550100123", "(555) 010-0123", "555.010/0123", "12345"])
    expect(isPhone(phone), phone).toBe(true);
  for (const phone of ["1234", "1234567890123456", "call me", "+1+5550100", ""])
    expect(isPhone(phone), phone).toBe(false);
  expect(isLeadPhone("+1 (555) 010-0123")).toBe(true);
  for (const phone of ["555-010-0123", "+123456", "+1234567890123456"])
    expect(isLeadPhone(phone), phone).toBe(false);
});

/** @covers reading 16, reading 17 */
test("phone numbers and license plates are normalized for matching", () => {
  expect(emailKey("  Jo@Example.COM ")).toBe("jo@example.com");
  expect(plateKey("ab-c 12.3é")).toBe("ABC123É");
});

const two = (value: number): string => String(value).padStart(2, "0");

test("every timestamp from the year 0 to 9999 is parsed correctly with any offset and fraction", () => {
  const moments = fc.integer({
    min: Date.parse("0000-01-03T00:00:00Z"),
    max: Date.parse("9999-12-29T00:00:00Z"),
  });
  const offsets = fc.integer({ min: -1_439, max: 1_439 });
  const forms = fc.constantFrom(":", "");
  fc.assert(
    fc.property(moments, offsets, forms, fc.integer({ min: 0, max: 9 }), (moment, offset, colon, places) => {
      const local = new Date(moment + offset * 60_000).toISOString();
      const fraction = places === 0 ? "" : `.${`${local.slice(20, 23)}456789`.slice(0, places)}`;
      const size = Math.abs(offset);
      const zone = `${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}${colon}${two(size % 60)}`;
      const kept = Math.floor(moment / 1000) * 1000 + Number((fraction.slice(1, 4) || "0").padEnd(3, "0"));
      expect(parseTimestamp(`${local.slice(0, 19)}${fraction}${zone}`)).toBe(kept);
      expect(parseTimestamp(local.slice(0, 10), true)).toBe(Date.parse(local.slice(0, 10)));
    }),
    { numRuns: 2_000 },
  );
});

test("the smallest and largest value of each timestamp part are accepted, values beyond are not", () => {
  for (const [text, moment] of [
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
    ["0000-01-01T00:00:00-00:01", "0000-01-01T00:01:00.000Z"],
    ["9999-12-31T23:59:59.999+00:01", "9999-12-31T23:58:59.999Z"],
    ["2026-04-01T00:00:00+23:59", "2026-03-31T00:01:00.000Z"],
    ["2026-04-01T00:00:00-23:59", "2026-04-01T23:59:00.000Z"],
    ["2026-04-01T10:00:00+05", "2026-04-01T05:00:00.000Z"],
    ["2026-04-01T10:00:00-05", "2026-04-01T15:00:00.000Z"],
    ["2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"],
    ["2026-12-31T00:00:00Z", "2026-12-31T00:00:00.000Z"],
    ["2024-03-01T00:00:00Z", "2024-03-01T00:00:00.000Z"],
    ["2024-12-31T00:00:00Z", "2024-12-31T00:00:00.000Z"],
  ] as const)
    expect(iso(text), text).toBe(moment);
  for (const text of [
    "0000-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59.999-00:01",
    "1900-02-29T00:00:00Z",
    "2024-02-30T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-04-00T00:00:00Z",
    "2026-12-32T00:00:00Z",
    "2026-04-01T00:60:00Z",
    "2026-04-01T00:00:00+00:60",
    "2026-04-01T00:00:00+24",
    "2026-04-01T00:00:00Z0",
    "2026-04-01T00:00:00+5",
    "2026-04-01T00:00:00+050",
    "2026-04-01T00:00:00+05:0",
    "2026-04-01T00:00:00+05:300",
    "2026-04-01T00:00:00+05300",
    "2026-04-01T00:00:00+05;30",
    "2026-04-01T00:00:00.Z",
    "2026-04-01T00:00:00.5",
    "2026-04-01T00:00:00",
    "2026-04-01T00:00:00z",
    "2026-04-01T",
    "2026-04-0",
  ])
    expect(iso(text), text).toBeUndefined();
  expect(iso("2026-04-01T00:00:00Z", true)).toBe("2026-04-01T00:00:00.000Z");
});

test("the last day of every month is accepted, the day after it is not", () => {
  for (const year of [2024, 2026])
    for (let month = 1; month <= 12; month += 1) {
      const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
      expect(iso(`${year}-${two(month)}-${two(last)}`, true)).toBeDefined();
      for (const day of [last + 1, last + 2, 0])
        expect(iso(`${year}-${two(month)}-${two(day)}`, true), `${month}-${day}`).toBeUndefined();
    }
});

test("replacing any character of a timestamp makes it invalid", () => {
  const text = "2026-04-01T14:30:00.5+05:30";
  for (let at = 0; at < text.length; at += 1)
    for (const other of ["/", ":", "x", " ", "-", "T"]) {
      if (other === text[at] || (at === 21 && other === "-")) continue;
      const spoilt = text.slice(0, at) + other + text.slice(at + 1);
      expect(iso(spoilt), spoilt).toBeUndefined();
    }
});

test("phone numbers must have the minimum and at most the maximum number of digits", () => {
  for (const digits of [5, 15]) expect(isPhone("1".repeat(digits))).toBe(true);
  for (const digits of [4, 16]) expect(isPhone("1".repeat(digits))).toBe(false);
  for (const digits of [7, 15]) expect(isLeadPhone(`+${"1".repeat(digits)}`)).toBe(true);
  for (const digits of [6, 16]) expect(isLeadPhone(`+${"1".repeat(digits)}`)).toBe(false);
  expect(isLeadPhone("+1 call 5550100")).toBe(false);
});

test("lengths count code points, not UTF-16 code units", () => {
  for (const letter of ["a", "é", "😀"]) {
    expect(isWithinLength(letter.repeat(3), 3), letter).toBe(true);
    expect(isWithinLength(letter.repeat(4), 3), letter).toBe(false);
  }
  expect(isWithinLength("", 0)).toBe(true);
  expect(isWithinLength("a".repeat(7), 3)).toBe(false);
});

test("unstorable text is recognized, and uuids are accepted in upper and lower case", () => {
  expect(isStorableText("é😀")).toBe(true);
  for (const text of ["\u0000", "a\u0000", "\ud800", "\udc00x"]) expect(isStorableText(text)).toBe(false);
  expect(isUuid("6F0D2C68-6a40-7c1e-8a52-0a1f4f3e9d10")).toBe(true);
  for (const text of ["", "6f0d2c68-6a40-7c1e-8a52-0a1f4f3e9d1", "6f0d2c68-6a40-7c1e-8a52-0a1f4f3e9d100"])
    expect(isUuid(text)).toBe(false);
});

import { expect, test } from "vitest";
import { emailKey, isEmail, isLeadPhone, isPhone, parseTimestamp, plateKey } from "./formats.js";

const iso = (text: string, dateAlone = false) => {
  const moment = parseTimestamp(text, dateAlone);
  return moment === undefined ? undefined : new Date(moment).toISOString();
};

test("reading 24: date, time with seconds and zone are taken, offsets are converted", () => {
  expect(iso("2026-04-01T14:30:00Z")).toBe("2026-04-01T14:30:00.000Z");
  expect(iso("2026-04-01T14:30:00.5Z")).toBe("2026-04-01T14:30:00.500Z");
  expect(iso("2026-04-01T14:30:00.123456789Z")).toBe("2026-04-01T14:30:00.123Z");
  expect(iso("2026-04-01T00:30:00+05:30")).toBe("2026-03-31T19:00:00.000Z");
  expect(iso("2026-04-01T00:30:00-0400")).toBe("2026-04-01T04:30:00.000Z");
  expect(iso("2024-02-29T00:00:00Z")).toBe("2024-02-29T00:00:00.000Z");
  expect(iso("0050-01-01T00:00:00Z")).toBe("0050-01-01T00:00:00.000Z");
});

test("reading 24: no zone, no seconds, impossible dates and times are refused", () => {
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

test("reading 24: a date alone is midnight UTC where it is allowed", () => {
  expect(iso("2026-04-01", true)).toBe("2026-04-01T00:00:00.000Z");
  expect(iso("2026-02-30", true)).toBeUndefined();
});

test("reading 29: e-mail in standard format", () => {
  for (const email of [
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
  ]) {
    expect(isEmail(email), email).toBe(true);
  }
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

test("reading 30: phones of imports and of leads", () => {
  for (const phone of ["+1-5550100", "+15550100123", "(555) 010-0123", "555.010/0123", "12345"])
    expect(isPhone(phone), phone).toBe(true);
  for (const phone of ["1234", "1234567890123456", "call me", "+1+5550100", ""])
    expect(isPhone(phone), phone).toBe(false);
  expect(isLeadPhone("+1 (555) 010-0123")).toBe(true);
  for (const phone of ["555-010-0123", "+123456", "+1234567890123456"])
    expect(isLeadPhone(phone), phone).toBe(false);
});

test("readings 16 and 17: what contacts and vehicles are matched by", () => {
  expect(emailKey("  Jo@Example.COM ")).toBe("jo@example.com");
  expect(plateKey("ab-c 12.3é")).toBe("ABC123É");
});

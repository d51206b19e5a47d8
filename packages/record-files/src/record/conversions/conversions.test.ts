import { expect, test } from "vitest";
import { firstAndLast } from "../full-name.js";
import { matchingTimeFormats } from "./common-time-formats.js";
import { parseNumber, readNumberFormat, type NumberFormat } from "./number-format.js";
import { readTimeFormat, type TimeFormat } from "./time-format.js";

const refused = undefined;

test.each([
  ["1,234.50", "12.50", "12.50"],
  ["1,234.50", "1,234,567.8", "1234567.8"],
  ["1,234.50", "1234.5", "1234.5"],
  ["1,234.50", "1,23.50", refused],
  ["1,234.50", "12,34", refused],
  ["1,234.50", "12,3456", refused],
  ["1,234.50", "1.234,50", refused],
  ["1,234.50", "$12.50", refused],
  ["1,234.50", "", refused],
  ["1,234.50", ".", refused],
  ["1,234.50", ".5", "0.5"],
  ["1,234.50", "007.10", "7.10"],
  ["1,234.50", "(12.50)", "-12.50"],
  ["1,234.50", "12.50-", "-12.50"],
  ["1,234.50", "- 12.50", "-12.50"],
  ["1,234.50", "+12.50", "12.50"],
  ["1,234.50", "--12.50", refused],
  ["1,234.50", "(-12.50)", refused],
  ["1,234.50", "-0.00", "0.00"],
  ["1,234.50", "12.50%", refused],
  ["1,234.50", "0.10000000000000000555", "0.10000000000000000555"],
  ["1,234.50", "1e3", refused],
  ["1.234,50", "1.234.567,89", "1234567.89"],
  ["1.234,50", "12,5", "12.5"],
  ["1.234,50", "1.5", refused],
  ["1.234,50", "1.500", "1500"],
  ["1234,50", "1234,50", "1234.50"],
  ["1234,50", "1 234,50", refused],
  ["1 234,50 \u20ac", "1\u202f234,50\u00a0\u20ac", "1234.50"],
  ["1 234,50 \u20ac", "\u20ac 7,00", "7.00"],
  ["1 234,50 \u20ac", "7,00 $", refused],
  ["1'234.50", "1\u2019234.50", "1234.50"],
  ["$1,234.50", "$12.50", "12.50"],
  ["$1,234.50", "-$1,000", "-1000"],
  ["$1,234.50", "$-1,000", "-1000"],
  ["$1,234.50", "($1,000.25)", "-1000.25"],
  ["$1,234.50", "12.50", "12.50"],
  ["$1,234.50", "\u20ac12.50", refused],
  ["$1,234.50", "$$12", refused],
  ["CHF 1'234.50", "CHF 12", "12"],
  ["1,234.50 %", "12.5%", "0.125"],
  ["1,234.50 %", "7 %", "0.07"],
  ["1,234.50 %", "150 %", "1.50"],
  ["1,234.50 %", "150", refused],
  ["1,234", "1,234", "1234"],
  ["1,234", "1.5", refused],
])("a file that writes 1234.50 as %s: %j is %j", (example, text, expected) => {
  expect(parseNumber(text, readNumberFormat(example) as NumberFormat)).toBe(expected);
});

test("a cell with millions of signs is rejected quickly", () => {
  for (const example of ["$1,234.50", "1,234.50 %"])
    for (const sign of ["-", "$", "%"])
      expect(parseNumber(`1${sign.repeat(2_000_000)}`, readNumberFormat(example) as NumberFormat)).toBe(
        refused,
      );
});

test.each([
  "",
  "12",
  "1,234,50",
  "1.234.50",
  "abc",
  "1,234.567",
  "-1234.50",
  "1234.50 EUR USD",
  "EUR 1,234.50 USD",
])("%j is not a way to write 1234.50", (example) => expect(readNumberFormat(example)).toBeUndefined());

test.each([
  ["MM/dd/yyyy h:mm a", "03/04/2026 2:05 PM", "2026-03-04 14:05:00"],
  ["MM/dd/yyyy h:mm a", "3/4/2026 12:05\u202fAM", "2026-03-04 00:05:00"],
  ["MM/dd/yyyy h:mm a", "03/04/2026 12:00 p.m.", "2026-03-04 12:00:00"],
  ["MM/dd/yyyy h:mm a", "03/04/2026 13:05 PM", refused],
  ["MM/dd/yyyy h:mm a", "03/04/2026 0:05 AM", "2026-03-04 00:05:00"],
  ["MM/dd/yyyy h:mm a", "03/04/2026 0:05 PM", refused],
  ["MM/dd/yyyy hhmma", "03/04/2026 0015A", "2026-03-04 00:15:00"],
  ["MM/dd/yyyy hhmma", "03/04/2026 1230P", "2026-03-04 12:30:00"],
  ["yyyyMMdd HHmm", "20260304 0945", "2026-03-04 09:45:00"],
  ["yyyyMMdd HHmm", "20260304 945", refused],
  ["yyyyMMdd Hmm", "20260304 945", "2026-03-04 09:45:00"],
  ["yyyyMMdd Hmm", "20260304 1630", "2026-03-04 16:30:00"],
  ["yyyyMMdd Hmm", "20260304 19", "2026-03-04 00:19:00"],
  ["yyyyMMdd Hmm", "20260304 5", "2026-03-04 00:05:00"],
  ["yyyyMMdd Hmm", "20260304 961", refused],
  ["yyyyMMdd Hmm", "20260304 10945", refused],
  ["yyyyMMddHmm", "20260304945", "2026-03-04 09:45:00"],
  ["MM/dd/yyyy h:mm a", "13/04/2026 2:05 PM", refused],
  ["MM/dd/yyyy h:mm a", "03/04/2026", refused],
  ["dd/MM/yyyy", "03/04/2026", "2026-04-03"],
  ["dd.MM.yyyy", "29.02.2026", refused],
  ["dd.MM.yyyy", "29.02.2028", "2028-02-29"],
  ["dd.MM.yyyy HH:mm:ss", "01.04.2026 24:00:00", refused],
  ["dd.MM.yyyy HH:mm:ss", "01.04.2026 23:59:60", refused],
  ["dd.MM.yyyy HH:mm:ss", "01.04.2026 23:59:59", "2026-04-01 23:59:59"],
  ["dd.MM.yyyy HH:mm:ss", "01.04.2026  23:59:59 x", refused],
  ["dd.MM.yy", "01.04.26", "2026-04-01"],
  ["dd.MM.yy", "01.04.99", "1999-04-01"],
  ["yyyyMMdd", "20260401", "2026-04-01"],
  ["yyyyMMdd", "2026041", refused],
  ["yyyyMMddHHmmss", "20260401143005", "2026-04-01 14:30:05"],
  ["yyyy-MM-ddTHH:mm:ss.SSS", "2026-04-01T14:30:05.123456", "2026-04-01 14:30:05.123456"],
  ["yyyy-MM-dd'T'HH:mm:ssXXX", "2026-04-01T14:30:05+02:00", "2026-04-01 14:30:05 +02:00"],
  ["d MMM yyyy", "1 Apr 2026", "2026-04-01"],
  ["d MMM yyyy", "1 avr. 2026", "2026-04-01"],
  ["d MMM yyyy", "1 juil. 2026", "2026-07-01"],
  ["d MMM yyyy", "1 jui 2026", refused],
  ["d. MMMM yyyy", "3. März 2026", "2026-03-03"],
  ["d MMM yyyy", "1 Foo 2026", refused],
  ["EEE, d MMM yyyy", "Wed, 1 Apr 2026", "2026-04-01"],
  ["unix", "1775053805", "2026-04-01 14:30:05 Z"],
  ["unix", "1775053805.25", "2026-04-01 14:30:05.25 Z"],
  ["unix", "-1", refused],
  ["unix", "99999999999999", refused],
  ["unix-ms", "1775053805123", "2026-04-01 14:30:05.123 Z"],
  ["serial", "46113", "2026-04-01"],
  ["serial", "46113.604224537", "2026-04-01 14:30:05"],
  ["serial", "12", refused],
  ["serial", "46113,5", refused],
])("as %s, %j is %j", (pattern, text, expected) => {
  const time = (readTimeFormat(pattern) as TimeFormat).read(text);
  expect(time && [time.date, time.time, time.zone].filter((part) => part !== undefined).join(" ")).toBe(
    expected,
  );
});

test.each([
  "",
  "MM/dd",
  "yyyy",
  "HH:mm",
  "MM/dd/yyyy h:mm",
  "yyyy-MM-dd mm",
  "dd.MM.yyyy HH",
  "YYYY-MM-dd",
  "yyyy-MM-dd 'at",
  "yyyyMMddMM",
  "x".repeat(61),
])("%j is not a pattern", (pattern) => expect(readTimeFormat(pattern)).toBeUndefined());

test.each([
  ["03/04/2026 10:00", ["M/d/yyyy H:mm", "d/M/yyyy H:mm"]],
  ["03/13/2026 10:00", ["M/d/yyyy H:mm"]],
  ["13/03/2026", ["d/M/yyyy"]],
  ["03/03/2026", ["M/d/yyyy"]],
  ["01.04.2026", ["d.M.yyyy"]],
  ["2026-04-01", []],
  ["12.50", []],
  ["VALET", []],
])("%j can be read as %j", (text, patterns) => {
  expect(matchingTimeFormats(text).map(({ pattern }) => pattern)).toEqual(patterns);
});

test.each([
  ["Ada Lovelace", "first last", "Ada", "Lovelace"],
  ["Anna Maria Rossi", "first last", "Anna Maria", "Rossi"],
  ["Rossi Anna Maria", "last first", "Anna Maria", "Rossi"],
  ["van der Berg, Jo", "last, first", "Jo", "van der Berg"],
  ["Tom van der Berg", "first last", "Tom", "van der Berg"],
  ["van der Berg Tom", "last first", "Tom", "van der Berg"],
  ["LE GOFF Maëlle", "last first", "Maëlle", "LE GOFF"],
  ["Maëlle LE GOFF", "first last", "Maëlle", "LE GOFF"],
  ["D'ANGELO Luc", "last first", "Luc", "D'ANGELO"],
  ["ADA MARIA LOVELACE", "first last", "ADA MARIA", "LOVELACE"],
  ["John Q. Public", "first last", "John Q.", "Public"],
  ["ada lovelace", "first last", "ada", "lovelace"],
  ["山田 太郎", "last first", "太郎", "山田"],
  [" Cher ", "first last", "", "Cher"],
  ["Cher", "last, first", "", "Cher"],
] as const)("the name %j, %s", (text, order, firstName, lastName) => {
  expect(firstAndLast(text, order)).toEqual({ firstName, lastName });
});

import { expect, test } from "vitest";
import { matchingTimeFormats } from "./common-time-formats.js";
import { monthOf } from "./month-names.js";
import { parseNumber, readNumberFormat, type NumberFormat } from "./number-format.js";
import { readTimeFormat } from "./time-format.js";

function read(pattern: string, text: string): string {
  const time = readTimeFormat(pattern)?.read(text);
  return time ? [time.date, time.time, time.zone].filter((part) => part !== undefined).join(" ") : "refused";
}

test.each([
  ["EEE, d MMM yyyy HH:mm:ss X", "Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06 08:49:37 Z"],
  ["EEE, d MMM yyyy HH:mm:ss X", "Sun, 06 Nov 1994 08:49:37 +0200", "1994-11-06 08:49:37 +0200"],
  ["[buddhist]d/M/yyyy H:mm", "02/06/2569 15:29", "2026-06-02 15:29:00"],
  ["[buddhist]d/M/yyyy H:mm", "29/02/2567 15:29", "2024-02-29 15:29:00"],
  ["[buddhist]d/M/yyyy H:mm", "29/02/2569 15:29", "refused"],
  ["[buddhist]d/M/yy", "2/6/69", "2026-06-02"],
  ["[minguo]y/M/d HH:mm", "115/03/01 08:05", "2026-03-01 08:05:00"],
  ["[minguo]yyyMMdd", "1150301", "2026-03-01"],
  ["[persian]yyyy/M/d H:mm", "۱۴۰۵/۰۱/۰۱ ۱۲:۳۰", "2026-03-21 12:30:00"],
  ["[persian]yyyy/M/d", "1403/12/30", "2025-03-20"],
  ["[persian]yyyy/M/d", "1404/12/30", "refused"],
  ["[islamic]d/M/yyyy", "01/09/1447", "2026-02-18"],
  ["[islamic]d/M/yyyy", "31/09/1447", "refused"],
  ["Gy年M月d日", "令和8年3月1日", "2026-03-01"],
  ["Gy年M月d日", "平成元年1月8日", "1989-01-08"],
  ["Gy.M.d H:mm", "R8.3.1 9:05", "2026-03-01 09:05:00"],
  ["[julian]d/M/yyyy", "02/06/2026", "refused"],
  ["y/M/d", "115/03/01", "refused"],
  ["serial-1904", "44651.5", "2026-04-01 12:00:00"],
  ["EEE, d-MMM-yy HH:mm:ss X", "Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06 08:49:37 Z"],
  ["d MMM yyyy", "5 stycznia 2026", "2026-01-05"],
  ["d. MMM yyyy", "5. ledna 2026", "2026-01-05"],
  ["d. MMM yyyy", "5. tammikuuta 2026", "2026-01-05"],
  ["d MMM yyyy", "5 maj 2026", "2026-05-05"],
  ["d MMM yyyy", "5 Ağustos 2026", "2026-08-05"],
  ["d MMM yyyy", "5 KASIM 2026", "2026-11-05"],
  ["d MMM yyyy", "5 août 2026", "2026-08-05"],
  ["d 'de' MMM 'de' yyyy", "5 de março de 2026", "2026-03-05"],
  ["yyyy年M月d日 H:mm", "2026年4月1日 9:05", "2026-04-01 09:05:00"],
  ["yyyy/M/d ah:mm", "2026/4/1 午後3:05", "2026-04-01 15:05:00"],
  ["yyyy/M/d H:mm", "٢٠٢٦/٤/١ ١٥:٠٥", "2026-04-01 15:05:00"],
  ["d/M/yyyy h:mm a", "1/4/2026 3:05 p. m.", "2026-04-01 15:05:00"],
  ["d/M/yyyy h:mm a", "1/4/2026 3:05\u00a0a.\u00a0m.", "2026-04-01 03:05:00"],
  ["d/M/yyyy h:mm a", "1/4/2026 3:05 م", "2026-04-01 15:05:00"],
  ["d/M/yyyy h:mm a", "1/4/2026 3:05 xm", "refused"],
  ["d.M.yyyy H.mm", "1.4.2026 15.05", "2026-04-01 15:05:00"],
  ["dd.MM.yyyy kk:mm", "31.12.2026 24:00", "2027-01-01 00:00:00"],
  ["dd.MM.yyyy kk:mm", "31.12.2026 24:01", "refused"],
  ["dd.MM.yyyy HH:mm", "31.12.2026 24:00", "refused"],
  ["dd.MM.yyyy HH:mm", "31.12.2026 75:20", "refused"],
])("with %s, %j is %s", (pattern, text, expected) => {
  expect(read(pattern, text)).toBe(expected);
});

test.each([
  ["1,234.50", "١٬٢٣٤٫٥٠", "1234.50"],
  ["1,234.50", "۱٬۲۳۴٫۵", "1234.5"],
  ["١٬٢٣٤٫٥٠", "1,234.50", "1234.50"],
  ["1'234.50", "-1’234.50", "-1234.50"],
  ["1.234,50", "12,50-", "-12.50"],
  ["1,234.50 CR", "12.50CR", "12.50"],
  ["1,234.50 CR", "12.50 DR", "-12.50"],
  ["1,234.50 DR", "12.50 CR", "-12.50"],
  ["1,234.50 DR", "12.50", undefined],
  ["1,234.50 CR", "12.50 CR DR", undefined],
  ["EUR 1.234,50", "12,50 EUR", "12.50"],
  ["1.234,50 €", "12,50 $", undefined],
  ["₹1,234.50", "₹12,34,567.00", "1234567.00"],
  ["1,234.50", "1,23,456.50", "123456.50"],
  ["1,234.50", "1,23,45.50", undefined],
  ["1.234,50", "1.23.456,50", undefined],
  ["￥1,234.50", "￥１２，３４５", "12345"],
  ["1,234.50", "๑,๒๓๔.๕๐", "1234.50"],
])("in the format %s, the number %s is %s", (format, text, expected) => {
  expect(parseNumber(text, readNumberFormat(format) as NumberFormat)).toBe(expected);
});

test.each(["Sun, 06 Nov 1994 08:49:37 GMT", "5. 1. 2026 10:30", "2026年4月1日", "4/13/2026 0945", "13-1-26"])(
  "%s has one meaning",
  (text) => {
    expect(matchingTimeFormats(text)).toHaveLength(1);
  },
);

test("an impossible date has no meaning", () => {
  expect(matchingTimeFormats("1.13.26")).toEqual([]);
});

test("a time with a zone in its text keeps the zone", () => {
  const [format] = matchingTimeFormats("Sun, 06 Nov 1994 08:49:37 GMT");
  expect(format?.hasZone).toBe(true);
});

test("a date that has two readings keeps both", () => {
  expect(matchingTimeFormats("3-4-26").map(({ pattern }) => pattern)).toEqual(["d-M-yy", "M-d-yy"]);
});

test("a name of a month never has the meaning of another language's month", () => {
  const languages = ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "cs", "sv", "da", "nb", "fi", "tr"];
  for (const language of languages)
    for (const day of [undefined, "numeric"] as const)
      for (let month = 1; month <= 12; month += 1) {
        const format = new Intl.DateTimeFormat(language, { month: "long", day, timeZone: "UTC" });
        const parts = format.formatToParts(Date.UTC(2026, month - 1, 15));
        const name = parts.find(({ type }) => type === "month")?.value ?? "";
        expect([undefined, month], `${language}: ${name}`).toContain(monthOf(name));
        expect(monthOf(name), `${language}: ${name}`).toBe(month);
      }
});

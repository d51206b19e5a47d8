import { expect, test } from "vitest";
import { problemsText } from "../messages.js";
import { LocationIndex } from "./locations.js";
import { toMapping } from "./mapping.js";
import { prepareRows, type Prepared, type PrepareOptions } from "./prepare.js";

const prepare = (mapping: unknown, columns: Record<string, string>, options: Partial<PrepareOptions> = {}) =>
  prepareRows(Object.keys(columns), "transactions", {
    mapping: toMapping(mapping),
    ignoreUnknownColumns: false,
    timeZone: "America/New_York",
    asksAboutTimes: true,
    ...options,
  })({ line: 2, cells: Object.values(columns) });
const sent = (...args: Parameters<typeof prepare>) => prepare(...args).text;
const detailOf = ({ refusal }: Prepared) => refusal && problemsText(refusal.problems);
const detail = (...args: Parameters<typeof prepare>) => detailOf(prepare(...args));

test("formats of a column override those of the mapping", () => {
  const mapping = {
    number: "$1,234.50",
    empty: ["n/a", "-"],
    time: "MM/dd/yyyy h:mm a",
    columns: {
      Ticket: "transactionId",
      Paid: "transactionDate",
      Fee: { to: "processingFee", number: "1.234,50" },
      Total: "amountTotal",
      Net: "netAmount",
      Refund: { to: "isRefunded", true: ["J", "Ja"], false: "N" },
      Out: { to: "sessionEnd", time: "unix" },
      Card: { to: "cardType", trim: true },
      Kind: { to: "type", values: { VALET: 2 } },
    },
  };
  const row = {
    ...{ Ticket: "7", Paid: "03/04/2026 2:05 PM", Fee: "1.000,5", Total: "($1,234.50)", Net: "N/A" },
    ...{ Refund: "ja", Out: "1775053805", Card: " VISA ", Kind: "VALET" },
  };
  expect(sent(mapping, row)).toBe(
    '{"transactionId":"7","transactionDate":"2026-03-04T19:05:00Z","processingFee":1000.5,"amountTotal":-1234.50,"isRefunded":true,"sessionEnd":"2026-04-01T14:30:05Z","cardType":"VISA","type":2}',
  );
});

test("the same rules apply to members of JSON records", () => {
  const mapping = {
    ...{ number: "1.234,50", empty: ["-"], timeZone: "location" },
    columns: {
      day: { to: "transactionDate", time: "dd.MM.yyyy HH:mm", with: "at.clock" },
      out: { to: "sessionEnd", time: "unix" },
    },
  };
  const record =
    '{"day":"04.03.2026","at":{"clock":"14:05"},"out":1775053805,"amountTotal":"12,50","netAmount":7.5,"cardType":"-","vehicle":{"licensePlate":"A 1","color":"-"}}';
  expect(sent(mapping, { record })).toBe(
    '{"transactionDate":"2026-03-04T19:05:00Z","sessionEnd":"2026-04-01T14:30:05Z","amountTotal":12.50,"netAmount":7.5,"vehicle":{"licensePlate":"A 1"}}',
  );
});

test("a value in the wrong format is rejected with field, column, value and the expected format", () => {
  const mapping = {
    columns: {
      Paid: { to: "transactionDate", time: "MM/dd/yyyy" },
      Total: { to: "amountTotal", number: "1,234.50" },
    },
  };
  expect(detail(mapping, { Paid: "13/01/2026", Total: "12,50" })).toBe(
    'transactionDate (column "Paid") "13/01/2026" is not a time in the format MM/dd/yyyy; amountTotal (column "Total") "12,50" does not have the format 1,234.50',
  );
  const zoned = { columns: { Paid: { to: "transactionDate", time: "MM/dd/yyyy", timeOfDay: "00:00" } } };
  const zoneless = detail(zoned, { Paid: "03/01/2026" }, { timeZone: undefined });
  expect(zoneless).toContain('has no time zone; set "timeZone"');
  const time = ["MM/dd/yyyy", "dd/MM/yyyy"];
  const several = { columns: { Paid: { to: "transactionDate", time, timeOfDay: "00:00" } } };
  expect(detail(several, { Paid: "03/04/2026" })).toContain(
    "matches more than one of MM/dd/yyyy, dd/MM/yyyy",
  );
  expect(sent(several, { Paid: "13/04/2026" })).toBe('{"transactionDate":"2026-04-13T04:00:00Z"}');
});

test("a time with a zone is accepted regardless of the mapping, so that constants work", () => {
  const mapping = { time: "dd.MM.yyyy", constants: { sessionEnd: "2026-04-01T10:00:00+02:00" } };
  expect(sent(mapping, { transactionDate: "01.04.2026" })).toBe(
    '{"transactionDate":"2026-04-01T04:00:00Z","sessionEnd":"2026-04-01T10:00:00+02:00"}',
  );
});

test("a word that means empty in one column is a value in another", () => {
  const mapping = { columns: { Card: { to: "cardType", empty: "none" }, Code: "promoCode" } };
  expect(sent(mapping, { Card: "None", Code: "NONE" })).toBe('{"promoCode":"NONE"}');
});

test("an unknown date format is a question, never a guess", () => {
  expect(detail({}, { transactionDate: "03/04/2026 10:00" })).toBe(
    'transactionDate "03/04/2026 10:00" can be read as M/d/yyyy H:mm and as d/M/yyyy H:mm; if the first is correct, set "time" in the mapping',
  );
  expect(detail({}, { transactionDate: "13.04.2026" })).toContain("if its format is d.M.yyyy");
  // Without someone to ask, the record check reports the value, as for everything that cannot be converted.
  expect(sent({}, { transactionDate: "13.04.2026" }, { asksAboutTimes: false })).toBe(
    '{"transactionDate":"13.04.2026"}',
  );
});

test("date and time in two columns are combined, and neither is lost if the other is missing", () => {
  const mapping = { columns: { Day: { to: "sessionStart", time: "dd.MM.yyyy HH:mm", with: "Clock" } } };
  expect(sent(mapping, { Day: "01.07.2026", Clock: "08:15" })).toBe(
    '{"sessionStart":"2026-07-01T12:15:00Z"}',
  );
  expect(sent(mapping, { Day: "", Clock: "" })).toBe("{}");
  expect(detail(mapping, { Day: "01.07.2026", Clock: "" })).toContain(
    '(column "Day" and "Clock") "01.07.2026" is a date without a time',
  );
  expect(detail(mapping, { Day: "", Clock: "08:15" })).toContain(
    "is not a time in the format dd.MM.yyyy HH:mm",
  );
});

test("skipped and repeated times at clock changes are reported and resolved only by the mapping", () => {
  const columns = { In: { to: "sessionStart", time: "dd.MM.yyyy HH:mm" } };
  expect(detail({ columns }, { In: "08.03.2026 02:30" })).toContain("does not exist in America/New_York");
  const twice = { In: "01.11.2026 01:30" };
  expect(prepare({ columns }, twice)).toMatchObject({
    text: '{"sessionStart":"2026-11-01T05:30:00Z"}',
    ambiguousTimes: 1,
  });
  expect(prepare({ columns, repeatedTimes: "later" }, twice)).toMatchObject({
    text: '{"sessionStart":"2026-11-01T06:30:00Z"}',
    ambiguousTimes: 1,
  });
  expect(detail({ columns, repeatedTimes: "refuse" }, twice)).toContain("occurs twice in America/New_York");
});

test("a date alone stays a date if the field allows it, and otherwise becomes the time of day of the mapping", () => {
  const time = "dd.MM.yyyy";
  const mapping = {
    columns: {
      From: { to: "subscription.startDate", time },
      On: { to: "transactionDate", time, timeOfDay: "00:00" },
    },
  };
  expect(sent(mapping, { From: "01.04.2026", On: "01.04.2026" })).toBe(
    '{"subscription":{"startDate":"2026-04-01"},"transactionDate":"2026-04-01T04:00:00Z"}',
  );
});

test("a location is found by uuid, reference or name; duplicate names are rejected", () => {
  const location = (uuid: string, name: string, tpReferenceId = "") => ({
    uuid,
    name,
    tpReferenceId,
    timeZone: "UTC",
  });
  const locations = new LocationIndex([
    location("u-1", "Main Garage", "G1"),
    location("u-2", "North"),
    location("u-3", "north "),
  ]);
  const by = (hint: string, text: string) =>
    prepare({ columns: { Site: { to: "locationUuid", location: hint } } }, { Site: text }, { locations });
  expect(by("name", "main garage ").text).toBe('{"locationUuid":"u-1"}');
  expect(by("tpReferenceId", "g1").text).toBe('{"locationUuid":"u-1"}');
  expect(by("any", "U-2").text).toBe('{"locationUuid":"u-2"}');
  expect(detailOf(by("name", "North"))).toBe('locationUuid "North" is the name of several locations');
  expect(detailOf(by("uuid", "G1"))).toContain("is not the uuid of a location of the organization");
  expect(() =>
    prepare({ columns: { Site: { to: "locationUuid", location: "name" } } }, { Site: "x" }),
  ).toThrow('"location" needs the locations of the organization');
  expect(() =>
    prepare({ columns: { Site: { to: "cardType", location: "name" } } }, { Site: "x" }, { locations }),
  ).toThrow('"location" is for locationUuid, not for "cardType"');
});

test("a full name is split in the order of the mapping", () => {
  const mapping = { columns: { Customer: { to: "contact", name: "last, first" } } };
  expect(sent(mapping, { Customer: "Doe, Jo" })).toBe('{"contact":{"firstName":"Jo","lastName":"Doe"}}');
  expect(() =>
    prepare({ columns: { Customer: { to: "cardType", name: "first last" } } }, { Customer: "x" }),
  ).toThrow('"name" is for contact');
});

test("rows with a value in an unnamed column fail until the mapping maps the column", () => {
  const row = { transactionId: "1", "column 2": "x" };
  expect(detail({}, row)).toBe(
    'column 2 has no name but contains values; map "column 2" to a field, or to null to leave it out',
  );
  expect(sent({}, { transactionId: "1", "column 2": " " })).toBe('{"transactionId":"1"}');
  expect(sent({ columns: { "column 2": "cardType" } }, row)).toBe('{"transactionId":"1","cardType":"x"}');
  expect(sent({ columns: { "column 2": null } }, row)).toBe('{"transactionId":"1"}');
});

test.each([
  [{ columns: { a: { to: "type", time: "MM/dd" } } }, 'column "a": "time" must be a pattern such as'],
  [{ number: "12,5" }, '"number" must show how the file writes 1234.50'],
  [{ columns: { a: { to: "type", numbers: "x" } } }, '"numbers" is not one of'],
  [{ true: ["x"], false: ["X"] }, '"true" and "false" both list "x"'],
  [{ true: 1 }, '"true" must be a string or a list of strings'],
  [{ trim: "yes" }, '"trim" must be true or false'],
  [{ timeZone: "Mars" }, '"timeZone" must be a time zone such as'],
  [{ repeatedTimes: "first" }, '"repeatedTimes" must be one of "earlier", "later", "refuse"'],
  [{ columns: { a: { to: "contact", name: "x" } } }, '"name" must be one of'],
  [{ file: { seperator: ";" } }, '"file" may only have the members'],
  [{ file: { delimiter: '"' } }, '"delimiter" must be a separator'],
  [{ file: { headerLine: 0 } }, '"headerLine" must be an integer, 1 or greater'],
  [{ file: { encoding: "ebcdic" } }, '"encoding" must be one of'],
])("an invalid mapping is rejected with the reason: %j", (mapping, message) => {
  expect(() => toMapping(mapping)).toThrow(message);
});

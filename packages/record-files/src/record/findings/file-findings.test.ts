import { expect, test } from "vitest";
import fc from "../../../../../testing/properties.js";
import { findingText } from "../../messages.js";
import { toMapping } from "../mapping.js";
import { prepareRows } from "../prepare.js";
import { FileFindings } from "./file-findings.js";
import { isPlaceholderPlate } from "./placeholder-plates.js";
import { RepeatedIds } from "./repeated-ids.js";

const nowMs = Date.parse("2026-06-01T00:00:00Z");

function findingsOf(rows: readonly Record<string, string>[], mapping: unknown = {}) {
  const findings = new FileFindings({ nowMs });
  const convert = prepareRows(Object.keys(rows[0] ?? {}), "transactions", {
    mapping: toMapping(mapping),
    ignoreUnknownColumns: true,
    timeZone: "UTC",
    findings,
  });
  for (const [index, row] of rows.entries()) convert({ line: index + 2, cells: Object.values(row) });
  return findings.list();
}
const texts = (rows: readonly Record<string, string>[], mapping?: unknown) =>
  findingsOf(rows, mapping).map((finding) => findingText(finding));

test("plausible rows give no findings", () => {
  const row = (transactionId: string) => ({
    ...{ transactionId, amountTotal: "5", sessionStart: "2026-05-01T10:00:00Z" },
    ...{ sessionEnd: "2026-05-01T11:00:00Z", "vehicle.licensePlate": "B AB 1", Currency: "EUR" },
  });
  expect(findingsOf([row("1"), row("2")])).toEqual([]);
});

test("times that are hardly true are counted with examples", () => {
  const stay = (sessionStart: string, sessionEnd: string) => ({ sessionStart, sessionEnd });
  expect(
    texts([
      stay("1914-05-01T10:00:00Z", ""),
      stay("", "2028-06-02T10:00:00Z"),
      stay("2026-05-02T10:00:00Z", "2026-05-01T10:00:00+00:00"),
      stay("2024-05-02T10:00:00Z", "2025-05-03T10:00:00Z"),
    ]),
  ).toEqual([
    '1 row with a sessionStart before 1990: "1914-05-01T10:00:00Z" in line 2',
    '1 row with a sessionEnd more than two years ahead: "2028-06-02T10:00:00Z" in line 3',
    '1 row with a sessionEnd before the sessionStart: "2026-05-02T10:00:00Z - 2026-05-01T10:00:00+00:00" in line 4',
    '1 row with more than a year from sessionStart to sessionEnd: "2024-05-02T10:00:00Z - 2025-05-03T10:00:00Z" in line 5',
  ]);
  // A permit may be valid for decades.
  expect(texts([{ "subscription.endDate": "2099-12-31" }])).toEqual([]);
});

test("repeated ids are counted apart: whole rows, and rows with other values", () => {
  const row = (transactionId: string, amountTotal: string) => ({ transactionId, amountTotal });
  expect(
    texts([row("1", "5"), row("2", "6"), row("1", "5"), row("2", "7"), row("", "1"), row("", "2")]),
  ).toEqual([
    '1 row with the id and the values of an earlier row: "1" in line 4 and line 2',
    '1 row with the id of an earlier row, but other values: "2" in line 5 and line 3',
  ]);
});

test("placeholder plates, totals that are mostly 0, and several currencies are found", () => {
  const rows = ["0", "-5", "0", "0.00", "7"].map((amountTotal, index) => ({
    amountTotal,
    "vehicle.licensePlate": index < 2 ? "No-Plate" : `B ${index}`,
    Currency: index === 4 ? "usd" : "EUR",
  }));
  expect(texts(rows)).toEqual([
    '5 rows in different currencies: "Currency" is EUR (4), USD (1): such as "EUR" in line 2, "USD" in line 6',
    '4 rows with amountTotal 0 or negative, of 5 rows: such as "0" in line 2, "-5" in line 3, "0" in line 4',
    '2 rows with the plate "NO-PLATE", which seems to stand for a missing one: "No-Plate" in line 2, "No-Plate" in line 3',
  ]);
});

test("rows and fields that the mapping leaves out are counted with their reason", () => {
  const mapping = {
    columns: { Out: { to: "sessionEnd", onProblem: "leaveOut" } },
    leaveOut: [{ column: "State", values: ["void"] }],
    time: "dd.MM.yyyy",
  };
  expect(
    texts(
      [
        { Out: "soon", State: "VOID" },
        { Out: "soon", State: "" },
        { Out: "01.05.2026", State: "" },
      ],
      mapping,
    ),
  ).toEqual([
    '1 row left out: "State" is "VOID": line 2',
    '1 row without sessionEnd, because its value is not valid: "soon" in line 3',
    "1 row with a date without a time, which becomes midnight: line 4",
  ]);
});

test("the number of findings is limited, and the list says so", () => {
  const rows = Array.from({ length: 300 }, (_, index) => ({
    "vehicle.licensePlate": "-",
    State: String(index),
  }));
  const values = rows.map(({ State }) => State);
  const found = findingsOf(rows, { leaveOut: [{ column: "State", values }] });
  expect(found).toHaveLength(201);
  expect(found.at(-1)?.code).toBe("moreFindings");
});

test("ids are compared like in a map of all ids", () => {
  const rows = fc.array(fc.tuple(fc.string({ maxLength: 2 }), fc.constantFrom("a", "b")), { maxLength: 200 });
  fc.assert(
    fc.property(rows, (items) => {
      const ids = new RepeatedIds();
      const known = new Map<string, { line: number; record: string }>();
      for (const [index, [id, record]] of items.entries()) {
        const first = known.get(id);
        const expected = first && { firstLine: first.line, isEqual: first.record === record };
        expect(ids.add(id, record, index + 1)).toEqual(id === "" ? undefined : expected);
        if (!first && id !== "") known.set(id, { line: index + 1, record });
      }
    }),
  );
});

test("a hundred thousand different ids are not mistaken for each other", () => {
  const ids = new RepeatedIds();
  for (let index = 1; index <= 100_000; index += 1) expect(ids.add(`T-${index}`, "", index)).toBeUndefined();
  expect(ids.add("T-5", "", 7)).toEqual({ firstLine: 5, isEqual: true });
  expect(ids.count).toBe(100_000);
});

test.each([
  ["BLANKPLATE", true],
  ["no plate", true],
  ["XXX", true],
  ["000000", true],
  ["-", true],
  ["carece", true],
  ["ND", false],
  ["XX", false],
  ["AB 111", false],
])("the plate %s is a placeholder: %s", (plate, expected) => {
  expect(isPlaceholderPlate(plate)).toBe(expected);
});

test("texts with hidden characters, and plates in look-alike letters, are found", () => {
  const row = (transactionId: string, plate: string) => ({ transactionId, "vehicle.licensePlate": plate });
  expect(
    texts([
      row("1 ", "AB 123"),
      row("\u200b2", "А123ВС77"),
      row("3", "AВ 123"),
      row("4", "AB\u00a0124"),
      row("5", "ЖЩ 99"),
    ]),
  ).toEqual([
    '2 rows with spaces or invisible characters around or in transactionId: "1 " in line 2, "\u200b2" in line 3',
    '2 rows with a plate in Cyrillic or Greek letters that look like Latin ones: "AВ 123" in line 4, "А123ВС77" in line 3',
  ]);
  expect(texts([row("1", "А123ВС77"), row("2", "В123АС77")])).toEqual([]);
});

test("several currencies in JSON are found, in members at any depth", () => {
  const findings = new FileFindings({ nowMs });
  const columns = { id: "transactionId", "amount.value": "amountTotal", "amount.currency": null };
  const convert = prepareRows(["record"], "transactions", {
    mapping: toMapping({ columns }),
    ...{ ignoreUnknownColumns: true, timeZone: "UTC", findings },
  });
  for (const [index, currency] of ["EUR", null, "chf", "EUR"].entries()) {
    const record = {
      id: `T-${index}`,
      amount: { value: 5, currency },
      tax: { currency: "EUR", of: ["EUR", "CHF"] },
    };
    convert({ line: index + 1, cells: [JSON.stringify(record)], isJson: true });
  }
  expect(findings.list().map((finding) => findingText(finding))).toEqual([
    '3 rows in different currencies: "amount.currency" is EUR (2), CHF (1): such as "EUR" in line 1, "CHF" in line 3',
  ]);
});

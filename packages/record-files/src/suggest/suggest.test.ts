import { maxMetadataDepth } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { exportFiles, locations, type ExportFile } from "../../testing/exports.js";
import { recognizeFile } from "../recognize.js";
import { readTable } from "../read-table.js";
import { LocationIndex } from "../record/locations.js";
import { toMapping } from "../record/mapping.js";
import { prepareRows } from "../record/prepare.js";
import { maxColumns, recordColumn, type Row, type Table } from "../table.js";
import { sampleColumns } from "./sample.js";
import { suggestMapping, type Suggestion } from "./suggest.js";

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function tableOf({ content, resource }: ExportFile): Promise<Table> {
  const { reading, chunks } = await recognizeFile(once(content), {});
  return readTable(chunks, { ...reading, arrayName: resource });
}

const suggest = async (file: ExportFile): Promise<Suggestion> =>
  suggestMapping({ resource: file.resource, samples: await sampleColumns(await tableOf(file)), locations });

/** The records of the file by this mapping, or why a row cannot be converted. */
async function understood(file: ExportFile, { mapping }: Suggestion): Promise<unknown[]> {
  const table = await tableOf(file);
  const prepare = prepareRows(table.columns, file.resource, {
    mapping: toMapping(mapping),
    ignoreUnknownColumns: false,
    asksAboutTimes: true,
    timeZone: new Map(locations.map(({ uuid, timeZone }) => [uuid, timeZone])),
    locations: new LocationIndex(locations),
  });
  const records: unknown[] = [];
  for await (const row of table.rows) {
    const { text, refusal } = prepare(row);
    records.push(text === undefined ? refusal?.problems : flat(JSON.parse(text) as Record<string, unknown>));
  }
  return records;
}

/** Values by path, with times as moments and amounts in cents, like the expected values of the exports. */
function flat(record: Record<string, unknown>, prefix = ""): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
      const path = prefix + name;
      if (typeof value === "object" && value !== null)
        return Object.entries(flat(value as Record<string, unknown>, `${path}.`));
      if (/Date$|^session/.test(path)) return [[path, Date.parse(value as string)]];
      if (/Amount$|^amount/.test(path)) return [[path, Math.round((value as number) * 100)]];
      return [[path, value]];
    }),
  );
}

type Values = Record<string, unknown>;

/** Every value is correct, or was left unchanged with a type that the check rejects. */
function expectNothingWrong(record: Values, expected: Values): void {
  for (const [path, value] of Object.entries(record))
    if (typeof value === typeof expected[path]) expect([path, value]).toEqual([path, expected[path]]);
}

test("there are twenty exports of different systems", () => {
  expect(new Set(exportFiles.map(({ name }) => name)).size).toBe(20);
});

test.each(exportFiles.map((file) => [file.name, file] as const))(
  "an export is mapped correctly or leads to a question, never silently wrong: %s",
  async (_name, file) => {
    const suggestion = await suggest(file);
    expect(suggestion.questions.length > 0).toBe(file.isUnclear);
    const records = await understood(file, suggestion);
    if (!file.isUnclear) expect(records).toEqual(file.expected);
    for (const [position, record] of records.entries())
      if (typeof record === "object") expectNothingWrong(record as Values, file.expected[position] as Values);
  },
);

test("at least seventeen of the twenty exports are mapped automatically", async () => {
  const suggestions = await Promise.all(exportFiles.map(suggest));
  expect(suggestions.filter(({ questions }) => questions.length === 0).length).toBeGreaterThanOrEqual(17);
});

const samples = (columns: Record<string, string[]>) =>
  suggestMapping({
    ...{ resource: "transactions", locations },
    samples: Object.entries(columns).map(([name, values]) => ({ name, values })),
  } as const);

test.each([
  [{ "Total Amount": ["many"] }, "misfit", { columns: ["Total Amount"], path: "amountTotal", isKept: false }],
  [{ Amount: ["7.50", "7,50"] }, "misfit", { columns: ["Amount"], path: "amountTotal" }],
  [{ Date: ["03/04/2026"] }, "ambiguousTimes", { value: "03/04/2026", readings: ["M/d/yyyy", "d/M/yyyy"] }],
  [
    { Amount: ["1.234", "2.500"] },
    "ambiguousNumbers",
    { column: "Amount", value: "1.234", readings: ["1,234.50", "1.234,50"] },
  ],
  [{ Type: ["VALET"] }, "unknownValues", { names: ["Transient", "Monthly", "Flex", "Reservation"] }],
  [{ Garage: ["East"] }, "unknownLocations", { values: ["East"] }],
  [{ "Ticket No": ["1", "1"] }, "keyRepeated", { path: "transactionId" }],
  [{ "Ticket No": ["1"], "Receipt No": ["2"] }, "contested", { path: "transactionId" }],
  [
    { Amount: ["1"] },
    "requiredMissing",
    { paths: ["transactionId", "locationUuid", "type", "transactionDate"] },
  ],
  [{ "Paid at": ["2026-04-01 10:00"] }, "zoneAsked", { columns: ["Paid at"] }],
])("open questions are asked: %j", (columns, code, data) => {
  expect(samples(columns).questions).toContainEqual({ code, data: expect.objectContaining(data) });
});

test("a column's name alone is not enough, every column is listed, and card numbers are left out", () => {
  const { mapping, assumptions } = samples({
    Entry: ["Gate 3"],
    Total: ["many"],
    Card: ["4111 1111 1111 1111"],
    Card_Type: ["VISA"],
    "Shift.Lead": ["Jo"],
  });
  expect(mapping.columns).toEqual({
    Entry: "metadata.Entry",
    Total: "metadata.Total",
    Card: null,
    Card_Type: "cardType",
    "Shift.Lead": "metadata.Shift Lead",
  });
  expect(assumptions).toContainEqual({ code: "cardNumbers", data: { column: "Card" } });
  expect(assumptions).toContainEqual({
    code: "misfit",
    data: { columns: ["Total"], path: "amountTotal", values: ["many"], isKept: true },
  });
});

test("names of people become contacts only together with an email address or a phone number", () => {
  const alone = samples({ Kunde: ["Doe, Jo"], "Betrag brutto": ["12.50"] });
  expect(alone.mapping.columns).toEqual({ Kunde: "metadata.Kunde", "Betrag brutto": "amountTotal" });
  expect(alone.assumptions).toContainEqual({ code: "namesAlone", data: { columns: ["Kunde"] } });
  expect(samples({ Kunde: ["Doe, Jo"], "E-Mail": ["jo@example.com"] }).mapping.columns).toEqual({
    Kunde: { to: "contact", name: "last, first" },
    "E-Mail": "contact.email",
  });
});

async function* rowsOf(records: readonly string[]): AsyncGenerator<Row> {
  for (const [index, record] of records.entries()) yield { line: index + 1, cells: [record], isJson: true };
}

const sampleOf = (...records: string[]) => sampleColumns({ columns: [recordColumn], rows: rowsOf(records) });

test("parts of records that are too deep or have too many members are ignored", async () => {
  const levels = 100_000;
  const deep = `{"type":1,"metadata":${'{"a":'.repeat(levels)}1${"}".repeat(levels)}}`;
  expect(await sampleOf(deep)).toEqual([{ name: "type", values: ["1"] }]);
  const deepest = `{"metadata":${'{"a":'.repeat(maxMetadataDepth)}1${"}".repeat(maxMetadataDepth)}}`;
  expect(await sampleOf(deepest)).toEqual([
    { name: `metadata${".a".repeat(maxMetadataDepth)}`, values: ["1"] },
  ]);
  const wide = JSON.stringify(
    Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`m${index}`, 1])),
  );
  expect(await sampleOf(wide, '{"type":1}')).toEqual([{ name: "type", values: ["1"] }]);
});

test("the members of all records count towards the column limit of a table", async () => {
  const records = Array.from({ length: 20 }, (_, row) =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: 1_000 }, (__, index) => [`m${row}-${index}`, row])),
    ),
  );
  const samples = await sampleOf(...records, '{"m0-0":7}');
  expect(samples).toHaveLength(maxColumns);
  expect(samples[0]).toEqual({ name: "m0-0", values: ["0", "7"] });
});

import { expect, test } from "vitest";
import { workbookOf } from "../../testing/workbook.js";
import { problemsText, readingText } from "../messages.js";
import { readTable } from "../read-table.js";
import { recognizeFile } from "../recognize.js";
import { toMapping } from "../record/mapping.js";
import { prepareRows } from "../record/prepare.js";
import type { Row } from "../table.js";

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const header = `<row r="1">${["transactionId", "amountTotal", "cardType"].map(text).join("")}</row>`;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function read(rows: string, options: Parameters<typeof workbookOf>[1] = {}) {
  const bytes = workbookOf([{ name: "Sessions", rows: header + rows }], options);
  const { reading, chunks } = await recognizeFile(once(bytes), {});
  const table = await readTable(chunks, { ...reading, arrayName: "transactions" });
  const found: Row[] = [];
  for await (const row of table.rows) found.push(row);
  const prepare = prepareRows(table.columns, "transactions", {
    mapping: toMapping({}),
    ignoreUnknownColumns: true,
    timeZone: "UTC",
  });
  return {
    cells: found.map(({ cells }) => cells),
    said: readingText(table.facts?.() ?? []),
    problems: found.map((row) => problemsText(prepare(row).refusal?.problems ?? [])),
  };
}

test("hidden rows are read and counted", async () => {
  const row = (line: number, hidden: string) =>
    `<row r="${line}" ${hidden}>${text(`T-${line}`)}<c><v>5</v></c>${text("VISA")}</row>`;
  const rows = row(2, "") + row(3, 'hidden="1"') + row(4, 'hidden="true"') + '<row r="5" hidden="1"/>';
  const { cells, said } = await read(rows);
  expect(cells).toHaveLength(3);
  expect(said).toBe("with 2 hidden rows, which are read like the others: line 3 and others");
});

test("cells that are merged over several rows are reported, those of the header and of one row are not", async () => {
  const row = (line: number, card: string) =>
    `<row r="${line}">${text(`T-${line}`)}<c><v>5</v></c>${text(card)}</row>`;
  const merged = ["A1:C1", "A2:B2", "C2:C3", "A4:B5"].map((range) => `<mergeCell ref="${range}"/>`).join("");
  const { said } = await read(
    `${row(2, "VISA")}${row(3, "")}</sheetData><mergeCells>${merged}</mergeCells><sheetData>`,
  );
  expect(said).toBe(
    "with cells that are merged over several rows, of which only the first row has the value: C2:C3 and 1 more",
  );
});

test("a formula without a value is refused and reported, one with an empty text is not", async () => {
  const { cells, said, problems } = await read(
    '<row r="2"><c r="A2" t="str"><f>B2</f><v>T-2</v></c><c r="B2"><f>C2*2</f></c><c r="C2" t="str"><f>A2</f><v></v></c></row>' +
      `<row r="3"><c r="A3"><f>B3</f></c><c r="B3"><v>5</v></c>${text("VISA")}</row>`,
  );
  expect(cells[0]).toEqual(["T-2", "#FORMULA?", ""]);
  expect(said).toBe(
    "with 2 formulas without a value: B2 and others. Open the file in a spreadsheet program and save it",
  );
  expect(problems[1]).toContain('transactionId "#FORMULA?" is an error of a spreadsheet, not a value');
});

test("the errors of cells are not stored as texts", async () => {
  for (const error of ["#N/A", "#REF!", "#DIV/0!", "#NAME?"]) {
    const { problems } = await read(
      `<row r="2">${text("T-2")}<c r="B2"><v>5</v></c><c r="C2" t="e"><f>VLOOKUP(1,A:A,1)</f><v>${error}</v></c></row>`,
    );
    expect(problems[0]).toContain(`cardType "${error}" is an error of a spreadsheet`);
  }
});

test("times of day, durations and a date of 0 are not dates at the end of 1899", async () => {
  const cell = (style: number, value: string) => `<c s="${style}"><v>${value}</v></c>`;
  const { cells } = await read(
    `<row r="2">${cell(1, "0.965277777777778")}${cell(2, "1.0277777777777777")}${cell(3, "0.5")}</row>` +
      `<row r="3">${cell(4, "1.2708333333333333")}${cell(3, "0")}${cell(3, "46113.5")}</row>`,
    { formats: [0, 21, 20, 22, "[h]:mm"] },
  );
  expect(cells).toEqual([
    ["23:10:00", "24:40:00", "12:00:00"],
    ["30:30:00", "0000-00-00", "2026-04-01 12:00:00"],
  ]);
});

test("dates that are counted from 1904 are remarked", async () => {
  const { said } = await read(`<row r="2">${text("T-2")}</row>`, { is1904: true });
  expect(said).toContain("dates that are counted from 1904");
});

import { expect, test } from "vitest";
import { recordColumn, type Row, type Table } from "../../table.js";
import { decidingValues, type ColumnProfile } from "./column-profile.js";
import { columnRange } from "./column-range.js";
import { profileTable } from "./profile.js";
import { shapeOf } from "./shape.js";

async function* rowsOf(rows: Iterable<readonly string[]>): AsyncGenerator<Row> {
  let line = 1;
  for (const cells of rows) yield { line: (line += 1), cells: [...cells] };
}

const tableOf = (columns: string[], rows: Iterable<readonly string[]>): Table => ({
  columns,
  rows: rowsOf(rows),
  facts: () => [],
});

function* numbered(count: number, cellsOf: (index: number) => string[]): Generator<string[]> {
  for (let index = 0; index < count; index += 1) yield cellsOf(index);
}

test("a shape keeps the lengths of numbers, capitals and everything that is neither letter nor digit", () => {
  expect(shapeOf("12.04.2026 DUPONT Jean").text).toBe("99.99.9999 A Aa");
  expect(shapeOf("iPhone-7").text).toBe("a-9");
  expect(shapeOf("€ 1.234,50").text).toBe("€ 9.999,99");
  expect(shapeOf("ひと 12").text).toBe("a 99");
});

test("a profile counts values and empty cells of the whole file", async () => {
  const { rowCount, columns } = await profileTable(
    tableOf(
      ["Kind", "Plate"],
      numbered(5_000, (index) => [index === 4_999 ? "VOID" : "SALE", index % 10 === 0 ? " " : `AB ${index}`]),
    ),
  );
  const [kind, plate] = columns as [ColumnProfile, ColumnProfile];
  expect(rowCount).toBe(5_000);
  expect(kind.values).toEqual([
    { value: "SALE", count: 4_999 },
    { value: "VOID", count: 1 },
  ]);
  expect(kind.hasAllValues).toBe(true);
  expect({ filled: plate.filled, empty: plate.empty, hasAllValues: plate.hasAllValues }).toEqual({
    ...{ filled: 4_500, empty: 500, hasAllValues: false },
  });
  expect(plate.shapes).toContainEqual(expect.objectContaining({ shape: "A 9999", count: 3_600 }));
});

test("one row among many that decides the format is among the deciding values", async () => {
  const { columns } = await profileTable(
    tableOf(
      ["Date"],
      numbered(20_000, (index) => [
        index === 13_333
          ? "05/13/2026"
          : `0${1 + (index % 9)}/0${1 + (index % 7)}/${1_000 + (index % 1_900)}`,
      ]),
    ),
  );
  expect(decidingValues(columns[0] as ColumnProfile)).toContain("05/13/2026");
});

test("a placeholder that starts after thousands of different values is counted", async () => {
  const { columns } = await profileTable(
    tableOf(
      ["Plate"],
      numbered(30_000, (index) => [index > 20_000 && index % 20 === 0 ? "UNKNOWN" : `AB ${index}`]),
    ),
  );
  const [{ values }] = columns as [ColumnProfile];
  expect(values[0]?.value).toBe("UNKNOWN");
  expect(values[0]?.count).toBeGreaterThan(400);
  expect(values.length).toBeLessThanOrEqual(1_000);
});

test("the sampled rows are the first, evenly spread ones, and those unlike the rows before", async () => {
  const { rows } = await profileTable(
    tableOf(
      ["Id", "Amount"],
      numbered(10_000, (index) => [String(10_000 + index), index === 7_777 ? "-5.00" : "5.00"]),
    ),
  );
  expect(rows.length).toBeLessThan(600);
  expect(rows.slice(0, 20).map(({ cells: [id] }) => id)).toEqual(
    Array.from({ length: 20 }, (_, index) => String(10_000 + index)),
  );
  expect(rows.filter(({ why }) => why === "unlike").map(({ cells }) => cells)).toEqual([["17777", "-5.00"]]);
  const spread = rows.filter(({ why }) => why === "spread").map(({ row }) => row.line);
  expect(spread.at(-1)).toBeGreaterThan(9_900);
});

test("the members of JSON records are columns, and a missing or null one is an empty cell", async () => {
  async function* records(): AsyncGenerator<Row> {
    yield { line: 1, cells: ['{"a":{"b":"x"},"n":1.50}'], isJson: true };
    yield { line: 2, cells: ['{"a":null,"c":true}'], isJson: true };
  }
  const { columns, rows } = await profileTable({ columns: [recordColumn], rows: records() });
  expect(columns.map(({ name, filled, empty }) => ({ name, filled, empty }))).toEqual([
    { name: "a.b", filled: 1, empty: 1 },
    { name: "n", filled: 1, empty: 1 },
    { name: "a", filled: 0, empty: 2 },
    { name: "c", filled: 1, empty: 1 },
  ]);
  expect(rows.map(({ cells }) => cells)).toEqual([
    ["x", "1.50", "", ""],
    ["", "", "", "true"],
  ]);
});

test("the smallest and the largest time and number are known, however many there are", async () => {
  const rangeOf = async (values: readonly string[]) => {
    const { columns } = await profileTable(
      tableOf(
        ["Column"],
        values.map((value) => [value]),
      ),
    );
    return columnRange(columns[0] as ColumnProfile, { empty: new Set(["n/a"]) });
  };
  const pad = (value: number) => String(value).padStart(2, "0");
  const dates = Array.from({ length: 4_000 }, (_, index) => {
    const date = new Date(Date.UTC(2024, 10, 20 + ((index * 7) % 400), index % 24, index % 60));
    const [year, month, day] = [date.getUTCFullYear(), pad(date.getUTCMonth() + 1), pad(date.getUTCDate())];
    const hour = date.getUTCHours();
    const clock = `${pad(hour % 12 === 0 ? 12 : hour % 12)}:${pad(date.getUTCMinutes())}`;
    return {
      at: date.getTime(),
      us: `${month}/${day}/${year} ${clock} ${hour < 12 ? "AM" : "PM"}`,
      de: `${day}.${month}.${year} ${pad(hour)}:${pad(date.getUTCMinutes())}`,
    };
  });
  const sorted = dates.toSorted((one, other) => one.at - other.at);
  for (const way of ["us", "de"] as const)
    expect(await rangeOf(["n/a", ...dates.map((date) => date[way])])).toEqual({
      smallest: sorted[0]?.[way],
      largest: sorted.at(-1)?.[way],
    });
  const amounts = Array.from({ length: 4_000 }, (_, index) => `${(index * 37) % 4_000},5`);
  expect(await rangeOf(["-3,25", ...amounts])).toEqual({ smallest: "-3,25", largest: "3999,5" });
  expect(await rangeOf(["KLM 1", "KLM 2"])).toBeUndefined();
  // It can be read in two ways.
  expect(await rangeOf(["03/04/2026", "04/03/2026"])).toBeUndefined();
});

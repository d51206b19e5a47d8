import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import fc from "../../../../../testing/properties.js";
import { csvLine, guardedCell, unguardedCell } from "./row-format.js";

/** Characters that start a formula in a spreadsheet, including the full-width ones of East Asian keyboards. */
const beginnings = ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"];
const beginsLikeFormula = (cell: string): boolean => beginnings.some((sign) => cell.startsWith(sign));

test.each(beginnings)("a cell that begins with %j is marked as text", (sign) => {
  const [[read]] = parse(csvLine([`${sign}1+1`])) as [[string]];
  expect(read).toBe(`'${sign}1+1`);
});

test("numbers stay numbers, and absent values are empty", () => {
  expect(csvLine([-5, 0, true, null, undefined])).toBe("-5,0,true,,\r\n");
});

test.each([
  ["Jo;=1+1;x", "Jo;'=1+1;x"],
  ["a|\t +1", "a|\t '+1"],
  ["two\n=2+2\r\n@SUM(A1)", "two\n'=2+2\r\n'@SUM(A1)"],
  // Its quotes are doubled. Split at the semicolon, the rest begins with an empty quoted string.
  ['a;"=1+1"', `a;"'=1+1"`],
  ["a; b=1-1", "a; b=1-1"],
])("what another separator makes a cell of, %j, is shown as text", (cell, harmless) => {
  expect(parse(csvLine([cell, "b"]))).toEqual([[harmless, "b"]]);
});

const marks = ["'", '"', ";", "|", " ", ","];
const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ minLength: 1, maxLength: 1, unit: "grapheme" }),
    fc.constantFrom(...beginnings, ...marks),
  ),
});
const anyCells = fc.array(anyText, { minLength: 2, maxLength: 5 });

test("every cell value can be read back, with an apostrophe added only before a formula", () => {
  fc.assert(
    fc.property(anyCells, (cells) => {
      const [read] = parse(csvLine(cells), { relax_column_count: true }) as [string[]];
      for (const [index, cell] of cells.entries()) {
        expect(read[index]?.startsWith("'")).toBe(beginsLikeFormula(cell) || cell.startsWith("'"));
        expect(read[index]?.replaceAll("'", "")).toBe(cell.replaceAll("'", ""));
      }
    }),
  );
});

test("splitting a line by another separator reveals no formula", () => {
  fc.assert(
    fc.property(anyCells, (cells) => {
      const [first, ...others] = csvLine(cells).split(/[;|\t\r\n]/);
      const begins = [first?.replace(/^"/, ""), ...others.map((piece) => piece.replace(/^\s*"*/, ""))];
      for (const begin of begins) expect(begin).not.toMatch(/^[=+\-@\uff1d\uff0b\uff0d\uff20]/);
    }),
  );
});

test("a guarded cell is restored on import and guarded again on export", () => {
  fc.assert(
    fc.property(anyText, (cell) => {
      expect(unguardedCell(guardedCell(cell))).toBe(cell);
      expect(parse(csvLine([guardedCell(cell), "b"]))).toEqual([[guardedCell(cell), "b"]]);
    }),
  );
});

import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import fc from "../../../../testing/properties.js";
import { csvLine } from "./csv.js";

/** What makes a spreadsheet take a cell for a formula, the full-width signs of East Asian keyboards among it. */
const beginnings = ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"];
const beginsLikeFormula = (cell: string): boolean => beginnings.some((sign) => cell.startsWith(sign));

test.each(beginnings)("a cell that begins with %j, like a formula, is shown as text", (sign) => {
  const [[read]] = parse(csvLine([`${sign}1+1`])) as [[string]];
  expect(read).toBe(`'${sign}1+1`);
});

test("numbers stay numbers, and absent values are empty", () => {
  expect(csvLine([-5, 0, true, null, undefined])).toBe("-5,0,true,,\r\n");
});

const anyText = fc.string({ unit: "grapheme" });
const anyCell = fc.oneof(
  anyText,
  fc.tuple(fc.constantFrom(...beginnings), anyText).map((parts) => parts.join("")),
);

test("whatever is in a cell, a reader gets it back; behind an apostrophe if it begins like a formula, and only then", () => {
  fc.assert(
    fc.property(fc.array(anyCell, { minLength: 2, maxLength: 5 }), (cells) => {
      const [read] = parse(csvLine(cells), { relax_column_count: true }) as [string[]];
      expect(read).toEqual(cells.map((cell) => (beginsLikeFormula(cell) ? `'${cell}` : cell)));
    }),
  );
});

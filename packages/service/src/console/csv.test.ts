import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine } from "./csv.js";

test.each(["=1+1", "+1-555", "-2", "@SUM(A1)", "\tx", "\rx", "\nx", "\uff1dcmd"])(
  "a cell that begins like a formula is shown as text: %j",
  (cell) => {
    const [[read]] = parse(csvLine([cell])) as [[string]];
    expect(read).toBe(`'${cell}`);
  },
);

test("numbers stay numbers, and absent values are empty", () => {
  expect(csvLine([-5, 0, true, null, undefined])).toBe("-5,0,true,,\r\n");
});

test("whatever is in a cell, a reader gets it back, and no cell begins like a formula", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 2, maxLength: 5 }), (cells) => {
      const [read] = parse(csvLine(cells), { relax_column_count: true }) as [string[]];
      expect(read.map((cell) => cell.replace(/^'(?=[=+\-@\t\r\n])/, ""))).toEqual(cells);
      expect(read.every((cell) => !/^[=+\-@\t\r\n]/.test(cell))).toBe(true);
    }),
  );
});

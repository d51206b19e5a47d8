import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import fc from "../../../testing/properties.js";
import { CsvScan } from "./csv-scan.js";
import { maxColumns, type Row } from "./table.js";

function scanInPieces(text: string, delimiter: string, lengths: number[], trim = false): Row[] {
  const scan = new CsvScan({ delimiter, trim });
  const rows: Row[] = [];
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const length = (lengths[turn % lengths.length] as number) + 1;
    rows.push(...scan.scan(text.slice(at, at + length)));
    at += length;
  }
  return [...rows, ...scan.end()];
}

function attempt<T>(work: () => T): T | "refused" {
  try {
    return work();
  } catch {
    return "refused";
  }
}

const pieces = fc.array(
  fc.constantFrom('"', '""', ",", ";", "||", "|", "a", "bc", " ", "\n", "\r\n", "\r", "\t", "ü"),
  {
    maxLength: 14,
  },
);
const delimiters = fc.constantFrom(",", ";", "||", "\t");
const lengths = fc.array(fc.nat(4), { minLength: 1, maxLength: 5 });

test.each([false, true])(
  "any text that csv-parse splits is split in the same way, for any pieces (trim: %s)",
  (trim) => {
    fc.assert(
      fc.property(pieces, delimiters, lengths, (parts, delimiter, cuts) => {
        const text = parts.join("");
        const theirs = attempt(
          () =>
            parse(text, {
              delimiter,
              trim,
              record_delimiter: ["\r\n", "\n", "\r"],
              relax_column_count: true,
              skip_empty_lines: true,
            }) as string[][],
        );
        const ours = attempt(() => scanInPieces(text, delimiter, cuts, trim).map(({ cells }) => cells));
        // A quote inside an unquoted cell is a character for us, and spaces around a quoted cell do not count.
        if (theirs === "refused") return;
        // csv-parse reads two quoted cells with a space between them as one; we reject them.
        if (trim && ours === "refused") return;
        expect(ours).toEqual(theirs);
      }),
      { numRuns: 5_000 },
    );
  },
);

test("a row has the line on which it starts, for all line ends and quoted content", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.constantFrom("a", '"a"', '"b\r\nc"', '"\n\r"'), fc.constantFrom("\n", "\r\n", "\r")),
        {
          minLength: 1,
        },
      ),
      lengths,
      (rows, cuts) => {
        const text = rows.map(([cell, end]) => `x,${cell}${end}`).join("");
        const before = (index: number) =>
          rows
            .slice(0, index)
            .map(([cell, end]) => `x,${cell}${end}`)
            .join("");
        const lines = rows.map((_, index) => 1 + (before(index).match(/\r\n|\r|\n/g)?.length ?? 0));
        expect(scanInPieces(text, ",", cuts).map(({ line }) => line)).toEqual(lines);
      },
    ),
    { numRuns: 1_000 },
  );
});

test("rows and headers have a maximum number of cells", () => {
  const widest = ",".repeat(maxColumns - 1);
  expect(scanInPieces(`${widest}\n${widest}`, ",", [1000])).toHaveLength(2);
  expect(() => scanInPieces(`a,b\n${widest},\n`, ",", [1000])).toThrow(
    "line 2: the row has more than 16,384 cells",
  );
  expect(() => scanInPieces(`${widest},`, ",", [1000])).toThrow("line 1: the row has more than 16,384 cells");
});

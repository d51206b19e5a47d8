import { expect, test } from "vitest";
import { readCsv } from "../csv.js";

async function cellsOf(line: string, size: number): Promise<string[]> {
  const text = `a,b\n${line}\n`;
  async function* pieces() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  for await (const { cells } of (await readCsv(pieces(), { delimiter: "," })).rows) return cells;
  return [];
}

test.each([
  ['="0012345",x', ["0012345", "x"]],
  ['"=""0012345""",x', ["0012345", "x"]],
  ['="a,b",x', ["a,b", "x"]],
  ['=,"x"', ["=", "x"]],
  ["'0012345,'+49 30 1", ["0012345", "+49 30 1"]],
  ["'s-Hertogenbosch,'t Hooft", ["'s-Hertogenbosch", "'t Hooft"]],
  ["'25',=1+1", ["'25'", "=1+1"]],
  ['5" pipe,the "Deck"', ['5" pipe', 'the "Deck"']],
  ['1, "Smith, J" ', ["1", "Smith, J"]],
])("a cell is read as the spreadsheet shows it: %s", async (line, cells) => {
  for (const size of [1, 2, 100]) expect(await cellsOf(line, size)).toEqual(cells);
});

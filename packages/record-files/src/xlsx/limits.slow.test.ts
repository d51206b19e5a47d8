import { expect, test } from "vitest";
import { workbookOf, zipOf, type SheetContent } from "../../testing/workbook.js";
import { readTable } from "../read-table.js";
import { recognizeFile, type KnownReading } from "../recognize.js";
import { maxDescriptionEvents, maxSharedTexts, maxSheets, openWorkbook } from "./workbook.js";
import { maxEntries, Zip } from "./zip.js";

const pieceBytes = 1_000;
const simple = '<row><c t="inlineStr"><is><t>id</t></is></c></row><row><c><v>1</v></c></row>';
const sheet = (rows: string, name = "Sessions"): SheetContent => ({ name, rows });

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

async function readRows(bytes: Buffer, told: KnownReading = {}): Promise<void> {
  const { reading, chunks } = await recognizeFile(inPieces(bytes), told);
  const table = await readTable(chunks, { ...reading, arrayName: "transactions" });
  for await (const _ of table.rows);
}

test("a directory with too many parts is rejected", async () => {
  const archive = (count: number) =>
    zipOf(Object.fromEntries(Array.from({ length: count }, (_, index) => [`part${index}`, ""])), {
      isStored: true,
    });
  expect((await Zip.open(archive(maxEntries))).has(`part${maxEntries - 1}`)).toBe(true);
  await expect(Zip.open(archive(maxEntries + 1))).rejects.toThrow("the spreadsheet is damaged");
});

test("sheets, styles and shared texts have limits", async () => {
  const many = Array.from({ length: maxSheets + 1 }, (_, index) => sheet(simple, `Sheet ${index}`));
  expect((await openWorkbook(workbookOf(many.slice(1)))).sheets).toHaveLength(maxSheets);
  await expect(readRows(workbookOf(many))).rejects.toThrow("more than 1,000 sheets");
  await expect(readRows(workbookOf(many.slice(0, 12)), { sheet: "July" })).rejects.toThrow(
    /"Sheet 9" and 2 more$/,
  );
  const formats = Array.from({ length: maxDescriptionEvents / 2 }, () => 0);
  await expect(readRows(workbookOf([sheet(simple)], { formats }))).rejects.toThrow(
    "too many styles or sheets",
  );
  const shared = Array.from({ length: maxSharedTexts + 1 }, () => "");
  await expect(readRows(workbookOf([sheet(simple)], { shared }))).rejects.toThrow("contains too much text");
  const long = Array.from({ length: 70 }, () => `<t>${"x".repeat(1_000_000)}</t>`);
  await expect(readRows(workbookOf([sheet(simple)], { shared: long }))).rejects.toThrow(
    "the part xl/sharedStrings.xml of the spreadsheet is too large",
  );
});

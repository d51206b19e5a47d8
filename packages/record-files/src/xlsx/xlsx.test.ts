import { expect, test } from "vitest";
import { workbookOf, zipOf, type SheetContent } from "../../testing/workbook.js";
import { readTable } from "../read-table.js";
import { readingText } from "../messages.js";
import { readingFacts, recognizeFile, type KnownReading } from "../recognize.js";
import type { ReadScheduler } from "../scheduler.js";
import type { Row } from "../table.js";
import { cellFormat, numberText } from "./cell-formats.js";
import { openWorkbook, type Sheet } from "./workbook.js";
import { maxAttributes, maxDepth, readXml, type XmlEvent } from "./xml.js";
import { maxNameBytes, pieceBytes, Zip } from "./zip.js";

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, told: KnownReading = {}, pieceSize = 1000) {
  const { reading, chunks } = await recognizeFile(inPieces(bytes, pieceSize), told);
  const table = await readTable(chunks, { ...reading, arrayName: "transactions" });
  const rows: [number, ...string[]][] = [];
  for await (const { line, cells } of table.rows) rows.push([line, ...cells]);
  return { said: readingText(readingFacts(reading, told)), columns: table.columns, rows };
}

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const row = (...cells: string[]) => `<row>${cells.join("")}</row>`;
const sheet = (rows: string, name = "Sessions"): SheetContent => ({ name, rows });
const simple = row(text("id"), text("name")) + row(text("1"), text("Jo"));

test("a sheet is read with texts, numbers, dates and booleans as displayed", async () => {
  const bytes = workbookOf(
    [
      sheet(
        [
          '<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="D3" t="s"><v>2</v></c><c r="C3" t="inlineStr"><is><t>At</t></is></c></row>',
          '<row r="4"><c r="A4"><v>1001</v></c><c r="B4" s="0"><v>12.550000000000001</v></c><c r="C4" s="1"><v>46113.604224537035</v></c><c r="D4" t="b"><v>1</v></c></row>',
          '<row r="5"/>',
          '<row r="6" spans="1:4"><c r="A6" t="str"><f>CONCAT("a",1)</f><v>a1 &amp; &#x41;</v></c><c r="C6" s="2"><v>46113</v></c></row>',
        ].join(""),
      ),
    ],
    {
      shared: [
        "<t>Ticket</t>",
        "<r><t xml:space='preserve'>Paid </t></r><r><t>sum</t></r><rPh><t>x</t></rPh>",
        "<t>Refund</t>",
      ],
      formats: [0, 22, 14],
    },
  );
  for (const pieceSize of [7, 65_536])
    expect(await read(bytes, {}, pieceSize)).toEqual({
      said: 'XLSX, the sheet "Sessions", with the header in line 3',
      columns: ["Ticket", "Paid sum", "At", "Refund"],
      rows: [
        [4, "1001", "12.55", "2026-04-01 14:30:05", "true"],
        [6, "a1 & A", "", "2026-04-01", ""],
      ],
    });
});

test("of visible sheets with as many rows the first is read, unless another is given", async () => {
  const bytes = workbookOf([
    { ...sheet(simple, "Old"), isHidden: true },
    sheet("", "Empty"),
    sheet(simple, "April &amp; May"),
    sheet(simple.replace("Jo", "Al"), "June"),
  ]);
  expect(await read(bytes)).toMatchObject({
    said: 'XLSX, the sheet "April & May" of 2',
    rows: [[2, "1", "Jo"]],
  });
  expect(await read(bytes, { sheet: "June", format: "xlsx" })).toMatchObject({
    said: "",
    rows: [[2, "1", "Al"]],
  });
  expect(await read(bytes, { sheet: "Old" })).toMatchObject({ rows: [[2, "1", "Jo"]] });
  await expect(read(bytes, { sheet: "July" })).rejects.toThrow(
    'no sheet "July"; its sheets are "Old", "Empty", "April & May", "June"',
  );
});

test("a cover sheet is skipped if another sheet has a table", async () => {
  const cover = sheet(row(text("Monthly report")) + row(text("Made on"), text("1 May")), "Cover");
  const bytes = workbookOf([cover, sheet(simple)]);
  expect(await read(bytes)).toMatchObject({
    said: 'XLSX, the sheet "Sessions" of 2',
    rows: [[2, "1", "Jo"]],
  });
  expect(await read(workbookOf([cover, sheet("", "Empty")]))).toMatchObject({
    said: expect.stringContaining('the sheet "Cover"'),
  });
});

test("the sheet with the most rows below a header is read", async () => {
  const record = row(text("2"), text("Al"));
  const summary = sheet(simple, "Summary");
  const bytes = workbookOf([
    summary,
    sheet(simple + record.repeat(100), "All"),
    sheet(simple + record, "Some"),
  ]);
  expect(await read(bytes)).toMatchObject({ said: 'XLSX, the sheet "All" of 3', rows: { length: 101 } });
  const longest = [simple + record.repeat(70), simple + record.repeat(71)].map((rows, at) =>
    sheet(rows, `Part ${at}`),
  );
  expect(await read(workbookOf(longest))).toMatchObject({ said: 'XLSX, the sheet "Part 1" of 2' });
});

test("dates count from 1904 in spreadsheets with that setting", async () => {
  const rows = row(text("a"), text("b")) + row('<c s="1"><v>44651.5</v></c>', '<c s="2"><v>0.75</v></c>');
  const bytes = workbookOf([sheet(rows)], { formats: [0, 14, 21], is1904: true });
  expect((await read(bytes)).rows).toEqual([[2, "2026-04-01 12:00:00", "18:00:00"]]);
});

test.each([
  ["dd/mm/yyyy", true, false],
  ["yyyy\\-mm\\-dd hh:mm:ss.000", true, true],
  ["[$-409]m/d/yy h:mm AM/PM;@", true, true],
  ["[h]:mm", false, true],
  ["mmm-yy", true, false],
  ["#,##0.00", false, false],
  ['"$"#,##0.00_);[Red]("$"#,##0.00)', false, false],
  ["0.00%", false, false],
  ['0 "days"', false, false],
  ["General", false, false],
  ["0.00E+00", false, false],
  ["@", false, false],
])("numbers shown as %s are dates: %s, times: %s", (code, hasDate, hasTime) => {
  expect(cellFormat(164, code)).toEqual({ hasDate, hasTime });
});

test.each([
  ["12.5", "12.5"],
  ["0.30000000000000004", "0.3"],
  ["-7.4999999999999999", "-7.5"],
  ["12345678901234567890", "12345678901234567890"],
  ["12.50", "12.50"],
  ["1E+15", "1000000000000000"],
  ["1.2345678901234568E+18", "1.23456789012346E+18"],
  ["1.5E-7", "0.00000015"],
  ["1E+300", "1.00000000000000e300"],
  ["0", "0"],
  ["#N/A", "#N/A"],
])("the number %s is %s", (stored, expected) => {
  expect(numberText(stored)).toBe(expected);
});

test("files that are not spreadsheets, are damaged or have unsupported parts are rejected with a reason", async () => {
  await expect(read(zipOf({ "a.txt": "x" }))).rejects.toThrow("a ZIP archive or a spreadsheet");
  await expect(read(Buffer.from("id,name\n1,Jo\n"), { format: "xlsx" })).rejects.toThrow(
    "not an .xlsx spreadsheet",
  );
  await expect(read(workbookOf([sheet("")]))).rejects.toThrow("the spreadsheet is empty");
  const bytes = workbookOf([sheet(simple)]);
  await expect(read(bytes.subarray(0, -40))).rejects.toThrow("the spreadsheet is damaged");
  const flipped = Buffer.from(bytes);
  const at = flipped.indexOf("xl/worksheets/sheet1.xml") + "xl/worksheets/sheet1.xml".length + 20;
  flipped[at] = (flipped[at] as number) ^ 0xff;
  await expect(read(flipped)).rejects.toThrow("the spreadsheet is damaged");
  const changed = Buffer.from(bytes);
  const checksumAt = changed.lastIndexOf("xl/worksheets/sheet1.xml") - 46 + 16;
  changed.writeUInt32LE((changed.readUInt32LE(checksumAt) ^ 1) >>> 0, checksumAt);
  await expect(read(changed)).rejects.toThrow("the spreadsheet is damaged");
  const entity = '<!DOCTYPE x [<!ENTITY a "aaaa">]>';
  await expect(read(workbookOf([sheet(`${entity}${simple}`)]))).rejects.toThrow("the spreadsheet is damaged");
  await expect(read(workbookOf([sheet('<row><c t="s"><v>7</v></c></row>')]))).rejects.toThrow("is damaged");
  await expect(read(workbookOf([sheet('<row><c r="XFE1"><v>7</v></c></row>')]))).rejects.toThrow(
    "is damaged",
  );
});

test.each(["0", "-1", "1.5", "x", "", "9007199254740992", "1e400"])(
  "a row with the number %s is an error",
  async (number) => {
    const bytes = workbookOf([sheet(simple + `<row r="${number}">${text("2")}${text("Al")}</row>`)]);
    await expect(read(bytes)).rejects.toThrow("the spreadsheet is damaged");
  },
);

test("a part that decompresses beyond the row limit is rejected before it is decompressed completely", async () => {
  const bomb = workbookOf([sheet(row(text("id"), text("x".repeat(6_000_000))))]);
  expect(bomb.length).toBeLessThan(20_000);
  await expect(read(bomb)).rejects.toThrow("larger than 5 MB");
  const wide = workbookOf([
    sheet(row(text("id"), ...Array.from({ length: 60 }, () => text("x".repeat(100_000))))),
  ]);
  await expect(read(wide)).rejects.toThrow("larger than 5 MB");
});

test("paused readers do not affect other readers", async () => {
  const bytes = zipOf({ part: "x".repeat(pieceBytes * 20) });
  const paused = await Promise.all(
    Array.from({ length: 20 }, async () => (await Zip.open(bytes)).read("part")),
  );
  for (const reader of paused) await reader.next();
  let length = 0;
  for await (const piece of (await Zip.open(bytes)).read("part")) length += piece.length;
  expect(length).toBe(pieceBytes * 20);
  for (const reader of paused) await reader.return(undefined);
});

test("a part without its local header is an error, and the reader does not hang", async () => {
  const bytes = zipOf({ part: "x" });
  bytes.writeUInt32LE(0, bytes.indexOf("PK\u0003\u0004"));
  const zip = await Zip.open(bytes);
  await expect(zip.read("part").next()).rejects.toThrow("the spreadsheet is damaged");
});

test("parts with unknown names are skipped, so that a large directory takes no memory", async () => {
  const [longest, longer] = ["x".repeat(maxNameBytes), "x".repeat(maxNameBytes + 1)];
  const zip = await Zip.open(zipOf({ [longest]: "1", [longer]: "2", part: "3" }));
  expect([longest, longer, "part"].map((name) => zip.has(name))).toEqual([true, false, true]);
});

/** Yields whenever possible. */
const hasty: ReadScheduler = {
  isSpent: true,
  giveWay: () => new Promise((resolve) => setImmediate(resolve)),
  wait: (work) => work,
};

/** Counts event loop turns during `work`. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work().finally(() => (isOver = true));
  return turns;
}

test("an uncompressed part is read in small pieces without blocking other work", async () => {
  const bytes = zipOf({ part: "x".repeat(pieceBytes * 20 + 1) }, { isStored: true });
  const lengths: number[] = [];
  const zip = await Zip.open(bytes, { scheduler: hasty });
  const turns = await turnsDuring(async () => {
    for await (const piece of zip.read("part")) lengths.push(piece.length);
  });
  expect(lengths).toEqual([...Array.from({ length: 20 }, () => pieceBytes), 1]);
  expect(turns).toBeGreaterThanOrEqual(20);
});

test("rows of blank cells are passed on one by one without blocking", async () => {
  const blank = '<row><c r="XFD"/></row>';
  const bytes = workbookOf([sheet(blank.repeat(1_000))], { isStored: true });
  const workbook = await openWorkbook(bytes, { scheduler: hasty });
  const rows = workbook.rows(workbook.sheets[0] as Sheet);
  const first = (await rows.next()).value as Row;
  const second = (await rows.next()).value as Row;
  expect([first.line, second.line, second.cells.length]).toEqual([1, 2, 16_384]);
  let count = 2;
  const turns = await turnsDuring(async () => {
    for await (const _ of rows) count += 1;
  });
  expect(count).toBe(1_000);
  expect(turns).toBeGreaterThanOrEqual(990);
});

async function eventsOf(document: string, pieceSize: number): Promise<XmlEvent[]> {
  const all: XmlEvent[] = [];
  for await (const events of readXml(inPieces(Buffer.from(document), pieceSize))) all.push(...events);
  return all;
}

test("the events of a document do not depend on the size of its pieces", async () => {
  const text = "&#x10ffff;é&amp;amp;&#1114111;\r\n".repeat(100);
  const document = `<?xml version="1.0"?><x:t a="&lt;é" b='2'>${text}<!-- - --><![CDATA[<]]]]><e/></x:t>`;
  const whole = await eventsOf(document, document.length * 2);
  expect(whole).toEqual([
    { kind: "open", name: "t", attributes: { a: "<é", b: "2" } },
    { kind: "text", text: "\u{10ffff}é&amp;\u{10ffff}\n".repeat(100) },
    { kind: "text", text: "<]]" },
    { kind: "open", name: "e", attributes: {} },
    { kind: "close", name: "e" },
    { kind: "close", name: "t" },
  ]);
  for (const pieceSize of [1, 2, 7, 64, 1_000]) expect(await eventsOf(document, pieceSize)).toEqual(whole);
});

test("attributes of a tag and open elements have limits", async () => {
  const attributes = (count: number) => Array.from({ length: count }, (_, index) => `a${index}=""`).join(" ");
  const tagged = (count: number) => workbookOf([sheet(`${simple}<row ${attributes(count)}></row>`)]);
  expect((await read(tagged(maxAttributes))).rows).toEqual([[2, "1", "Jo"]]);
  await expect(read(tagged(maxAttributes + 1))).rejects.toThrow("the spreadsheet is damaged");
  const nested = (depth: number) => eventsOf("<a>".repeat(depth) + "</a>".repeat(depth), 100);
  expect(await nested(maxDepth)).toHaveLength(2 * maxDepth);
  await expect(nested(maxDepth + 1)).rejects.toThrow("the spreadsheet is damaged");
});

test.each([
  ["an unknown entity", "<a>&unknown;</a>"],
  ["a bare ampersand", "<a>& b</a>"],
  ["elements that overlap", "<a><b></a></b>"],
  ["an element that does not end", "<a><b></b>"],
  ["a repeated attribute", '<a b="1" b="2"/>'],
  ["a document type", "<!DOCTYPE a><a/>"],
  ["two roots", "<a/><b/>"],
  ["nothing", ""],
])("a document with %s is damaged", async (_what, document) => {
  for (const pieceSize of [1, 1_000])
    await expect(eventsOf(document, pieceSize)).rejects.toThrow("the spreadsheet is damaged");
});

test.each([
  ["a comment", "<!--", "x"],
  ["an attribute", '<row r="', "1"],
  ["the name of an element", "<", "x"],
  ["a reference", "&", "x"],
  ["a processing instruction", "<?x ", "x"],
])("%s without an end is rejected before it is read completely", async (_what, start, filler) => {
  const bytes = workbookOf([
    sheet(simple.replace("</row><row>", `</row>${start}${filler.repeat(6_000_000)}`)),
  ]);
  await expect(read(bytes)).rejects.toThrow("larger than 5 MB");
});

test("the size limit of a cell holds even if comments split its text", async () => {
  const piece = `${"x".repeat(1_000_000)}<!-- -->`;
  const bytes = workbookOf([sheet(`<row><c t="str"><v>${piece.repeat(8)}`)]);
  await expect(read(bytes)).rejects.toThrow("larger than 5 MB");
});

test("reading sheets and rows stops when it is aborted", async () => {
  const bytes = workbookOf([sheet(row(text("id")).repeat(50_000))], { isStored: true });
  const given = AbortSignal.abort(new Error("not wanted"));
  await expect(recognizeFile(inPieces(bytes, 1000), {}, { signal: given })).rejects.toThrow("not wanted");
  const unwanted = new AbortController();
  const workbook = await openWorkbook(bytes, { signal: unwanted.signal });
  const rows = workbook.rows(workbook.sheets[0] as Sheet);
  await rows.next();
  unwanted.abort(new Error("not wanted"));
  await expect(
    (async () => {
      for await (const _ of rows);
    })(),
  ).rejects.toThrow("not wanted");
});

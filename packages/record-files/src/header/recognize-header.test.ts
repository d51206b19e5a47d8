import { expect, test } from "vitest";
import { readingText } from "../messages.js";
import { readTable } from "../read-table.js";
import { readingFacts, recognizeFile, type KnownReading } from "../recognize.js";

async function read(content: string, told: KnownReading = {}) {
  async function* chunks() {
    yield new TextEncoder().encode(content);
  }
  const file = await recognizeFile(chunks(), { format: "csv", ...told });
  const table = await readTable(file.chunks, { ...file.reading, arrayName: "transactions" });
  const lines: number[] = [];
  for await (const { line } of table.rows) lines.push(line);
  const facts = [...readingFacts(file.reading, { format: "csv", ...told }), ...(table.facts?.() ?? [])];
  return { columns: table.columns, lines, said: readingText(facts) };
}

test.each([
  [
    "groups above names",
    "Ticket,Entry,,Exit,,Amount\n,Date,Time,Date,Time,\nT-1,2026-03-01,10:00,2026-03-01,11:00,5\n",
    ["Ticket", "Entry Date", "Entry Time", "Exit Date", "Exit Time", "Amount"],
  ],
  [
    "groups that all span columns",
    "Entry,,Payment,\nDate,Time,Amount,Card\n2026-03-01,10:00,5.00,Visa\n",
    ["Entry Date", "Entry Time", "Payment Amount", "Payment Card"],
  ],
  [
    "groups below a title",
    "Sessions of March,,,,\nEntry,,Exit,,\nDate,Time,Date,Time,Plate\n2026-03-01,10:00,2026-03-01,11:00,AB1\n",
    ["Entry Date", "Entry Time", "Exit Date", "Exit Time", "Exit Plate"],
  ],
])("two header rows are joined: %s", async (_name, content, columns) => {
  const found = await read(content);
  expect(found.columns).toEqual(columns);
  expect(found.lines).toHaveLength(1);
  expect(found.said).toContain("with a header of two rows");
});

test.each([
  ["a title", "Sessions,March\nid,plate,amount,paid\n1,AB1,5,x\n2,AB2,6,y\n", "with the header in line 2"],
  [
    "a padded title",
    "Sessions,,,\nid,plate,amount,paid\n1,AB1,5,x\n2,AB2,6,y\n",
    "with the header in line 2",
  ],
  ["names above texts", "First,Last,City\nJean,Dupont,Paris\nAnna,Kowalska,Łódź\n", ""],
  ["names with digits", "Address 1,Address 2,Zip\n12 Main St,,10001\n3 High St,,10002\n", ""],
  ["a first record with blanks", "First,Last,City\nJean,,Paris\nAnna,Kowalska,Łódź\n", ""],
  ["one row", "transactionId,plate\n", ""],
])("one header row is not joined with its neighbours: %s", async (_name, content, said) => {
  expect((await read(content)).said).toBe(said);
});

test.each([
  ["numbers and times", "17,2026-03-01 10:00,AB 12\n18,2026-03-02 11:30,CD 34\n"],
  ["codes", "T-1,ABC123,Visa,5.00\nT-2,XYZ777,Visa,6.00\nT-3,KLM111,Cash,7.00\n"],
  ["a single record", "1,2026-03-01 10:00,12.50\n"],
])("a file without a header loses no record and has numbered columns: %s", async (_name, content) => {
  const found = await read(content);
  expect(found.columns[0]).toBe("Column 1");
  expect(found.lines).toHaveLength(content.split("\n").length - 1);
  expect(found.said).toContain("without a header: line 1 is a record");
  expect((await read(content, { headerRows: 1 })).lines).toHaveLength(found.lines.length - 1);
});

test("the place of the header can be given", async () => {
  const content = "id,plate\n1,AB1\n";
  expect(await read(content, { headerRows: 0 })).toMatchObject({
    columns: ["Column 1", "Column 2"],
    lines: [1, 2],
  });
  expect(await read(`x\n${content}`, { headerLine: 2, headerRows: 2 })).toMatchObject({
    columns: ["id 1", "plate AB1"],
  });
});

test.each([
  ["months", "Garage,2026-01,2026-02,2026-03,2026-04"],
  ["names of months", "Parkhaus;Januar;Februar;März;April"],
  ["short names with years", "Garage,Jan 26,Feb 26,Mar 26,Apr 26,May 26,Total"],
  ["days", "Location,3/1/2026,3/2/2026,3/3/2026,3/4/2026"],
  ["days of the week", "Parking;lundi;mardi;mercredi;jeudi;vendredi"],
  ["days of the month", "Garage,1,2,3,4,5,6,7"],
  ["hours", "Garage,08:00,09:00,10:00,11:00"],
])("a cross-tab is said to be one: %s", async (_name, header) => {
  const [, mark = ","] = /([,;])/.exec(header) ?? [];
  const row = header.split(mark).map((_, index) => (index === 0 ? "Main" : String(index * 3)));
  const { said, lines } = await read(`${header}\n${row.join(mark)}\n`);
  expect(said).toContain("as a cross-tab: the columns");
  expect(lines).toEqual([2]);
});

test.each(["id,Line 1,Line 2,Line 3,Line 4", "id,2024,2025,2026", "May,June,Summer,Total"])(
  "an ordinary header is not a cross-tab: %s",
  async (header) => {
    expect((await read(`${header}\n${header.replaceAll(/[^,]+/g, "x")}\n`)).said).not.toContain("cross-tab");
  },
);

test("a first line that declares the separator is not the header", async () => {
  expect(await read("sep=;\r\nid;name\r\n1;a,b\r\n")).toMatchObject({ columns: ["id", "name"], lines: [3] });
});

test("quotes that do not enclose cells are characters", async () => {
  const found = await read('id\tname\n1\t"Big" Deck\n2\t6" pipe\n3\tNorth\n');
  expect(found).toMatchObject({ columns: ["id", "name"], lines: [2, 3, 4] });
  expect(found.said).toContain("without quoted cells");
});

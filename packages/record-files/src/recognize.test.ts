import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { gunzip } from "./gzip.js";
import { readTable } from "./read-table.js";
import { readingText } from "./messages.js";
import { readingFacts, recognizeFile, recognizeLater, type KnownReading } from "./recognize.js";
import type { Row } from "./table.js";

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(content: string | Buffer, told: KnownReading = {}, pieceSize = 7) {
  const bytes = Buffer.from(content as string);
  const { reading, chunks } = await recognizeFile(inPieces(bytes, pieceSize), told);
  const table = await readTable(chunks, { ...reading, arrayName: "transactions" });
  const rows: Row[] = [];
  for await (const row of table.rows) rows.push(row);
  return {
    reading,
    said: readingText(readingFacts(reading, told)),
    columns: table.columns,
    rows,
    cells: rows.map(({ cells }) => cells),
  };
}

const csv = "id,name\n1,Müller\n2,Jos\n";
const content = {
  columns: ["id", "name"],
  cells: [
    ["1", "Müller"],
    ["2", "Jos"],
  ],
};
const swapped = (text: string) => Buffer.from(text, "utf16le").swap16();

test.each([
  ["UTF-8", Buffer.from(csv), ""],
  ["UTF-8 with a mark", Buffer.from(`\ufeff${csv}`), ""],
  ["UTF-16 with a mark", Buffer.from(`\ufeff${csv}`, "utf16le"), "in UTF-16 (little endian)"],
  ["UTF-16 with the other mark", swapped(`\ufeff${csv}`), "in UTF-16 (big endian)"],
  ["UTF-16 without a mark", Buffer.from(csv, "utf16le"), "in UTF-16 (little endian)"],
  ["Windows-1252", Buffer.from(csv, "latin1"), 'in Windows-1252 (a guess; check "Müller")'],
  ["gzip", gzipSync(csv), "compressed with gzip"],
  ["semicolons", Buffer.from(csv.replaceAll(",", ";")), "separated by semicolons"],
  ["tabs", Buffer.from(csv.replaceAll(",", "\t")), "separated by tabs"],
  ["old line ends", Buffer.from(csv.replaceAll("\n", "\r")), ""],
  ["single quotes", Buffer.from("'id','name'\n'1','Müller'\n'2','Jos'\n"), "quoted with '"],
  ["a title", Buffer.from(`Sessions of April\n\n${csv}`), "with the header in line 3"],
  ["a padded title", Buffer.from(`Report,\n${csv}`), "with the header in line 2"],
])("a file is read correctly, and unusual formats are reported: %s", async (_name, bytes, said) => {
  for (const pieceSize of [1, 7, 65_536])
    expect(await read(bytes, { format: "csv" }, pieceSize)).toMatchObject({ ...content, said });
});

test("given settings override detection", async () => {
  const wide = "a,b;c\n1,2;3\n";
  expect((await read(wide, { delimiter: ";" })).columns).toEqual(["a,b", "c"]);
  expect((await read(csv, { headerLine: 2 })).columns).toEqual(["1", "Müller"]);
  const price = Buffer.from([0x61, 0x0a, 0x80, 0x0a]);
  expect((await read(price, { encoding: "windows-1252" })).cells).toEqual([["\u20ac"]]);
  expect((await read(price, { encoding: "latin1" })).cells).toEqual([["\u0080"]]);
  expect((await read(Buffer.from([0x61, 0x0a, 0xcf, 0x0a]), { encoding: "windows-1251" })).cells).toEqual([
    ["П"],
  ]);
});

test("text in another alphabet is recognized, and a doubtful encoding is shown with words to check", async () => {
  const russian = Buffer.from("id;");
  const words = Buffer.from([0xcf, 0xe0, 0xf0, 0xea, 0xee, 0xe2, 0xea, 0xe0]);
  const end = Buffer.from("\n1;x\n");
  expect(await read(Buffer.concat([russian, words, end]))).toMatchObject({
    columns: ["id", "Парковка"],
    reading: { encoding: "windows-1251" },
  });
  const polish = Buffer.from([0x69, 0x64, 0x0a, 0xa3, 0xf3, 0x64, 0x9f, 0x0a]);
  expect(await read(polish)).toMatchObject({ said: 'CSV, in Windows-1250 (a guess; check "Łódź")' });
});

test("a separator character inside text cells is not detected as the separator", async () => {
  expect((await read("id,notes\n1,a|b|c\n2,x|y|z\n")).columns).toEqual(["id", "notes"]);
});

test("a row that has more cells than the header has a problem and is not a new header", async () => {
  const { columns, rows } = await read("id,name\n1,Jo\nT,y,z\n");
  expect(columns).toEqual(["id", "name"]);
  expect(rows.map(({ problem }) => problem?.data)).toEqual([undefined, { cells: 3, columns: 2 }]);
});

test("decimal commas in a semicolon-separated file do not make comma the separator", async () => {
  expect(await read("id;amount;tax\n1;12,50;1,00\n2;7,00;0,50\n")).toMatchObject({
    columns: ["id", "amount", "tax"],
    cells: [
      ["1", "12,50", "1,00"],
      ["2", "7,00", "0,50"],
    ],
  });
});

test("the format is detected from the content if the name does not show it", async () => {
  const record = '{"transactionId":"T-1"}';
  expect((await read(`${record}\n${record}\n`)).reading.format).toBe("ndjson");
  expect((await read(`[${record}]`)).reading.format).toBe("json");
  expect((await read(`{"transactions":\n[${record}]}`)).reading.format).toBe("json");
  expect((await read(`{"transactions":[${record}]}\n`)).reading.format).toBe("json");
  const envelope = await read(`{"page":1,"data":{"items":[${record}]}}\n`);
  expect(envelope.said).toBe("JSON");
  expect(envelope.cells).toEqual([[record]]);
  const withItems = '{"transactionId":"T-1","items":[{"name":"Ticket"}]}';
  expect((await read(`${withItems}\n${withItems}\n`)).reading.format).toBe("ndjson");
  expect((await read(csv)).said).toBe("CSV");
});

test("text in mixed or unknown encodings is rejected with the line, never guessed", async () => {
  const latin = Buffer.from("id,name\n1,Müller\n", "latin1");
  await expect(read(Buffer.concat([latin, Buffer.from("2,Zoë\n")]))).rejects.toThrow(
    "line 2: not valid UTF-8",
  );
  const far = Buffer.concat([latin, Buffer.from("2,Jo\n".repeat(20_000)), Buffer.from("3,Zoë\n")]);
  await expect(read(far, {}, 65_536)).rejects.toThrow(
    "line 20003: the file contains both UTF-8 and Windows-1252 text",
  );
  await expect(read(Buffer.from([0x61, 0x62, 0x0a, 0x81, 0x0a]))).rejects.toThrow("not valid UTF-8");
  await expect(read(Buffer.from([0x61, 0x0a, 0x81]), { encoding: "windows-1252" })).rejects.toThrow(
    "line 2: not valid Windows-1252",
  );
  await expect(read(Buffer.from([0x61, 0x00, 0x0a]), { encoding: "utf-16le" })).rejects.toThrow(
    "not valid UTF-16",
  );
});

test("unsupported files are rejected with advice, damaged ones as damaged", async () => {
  await expect(read(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]))).rejects.toThrow(
    "an old spreadsheet (.xls)",
  );
  await expect(read("%PDF-1.7")).rejects.toThrow("a PDF document");
  await expect(read("\n<html><body><table></table>")).rejects.toThrow("the file is a web page");
  await expect(read('<?xml version="1.0"?><Workbook/>')).rejects.toThrow("the file is XML");
  await expect(read(gzipSync(csv.repeat(1000)).subarray(0, 60))).rejects.toThrow("gzip file is damaged");
});

test("an error while reading a compressed file is not reported as damage", async () => {
  const packed = gzipSync(randomBytes(500_000));
  const trouble = new Error("the connection is gone");
  async function* failing(): AsyncGenerator<Buffer> {
    yield packed.subarray(0, 400_000);
    throw trouble;
  }
  const unpacked = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of gunzip(chunks)) expect(chunk.length).toBeGreaterThan(0);
  };
  await expect(unpacked(failing())).rejects.toBe(trouble);
});

test("a trailing separator creates no column; an unnamed column is never lost", async () => {
  expect(await read("id,name,\n1,Jo,\n2,Al,\n")).toMatchObject({
    columns: ["id", "name", "column 3"],
    cells: [
      ["1", "Jo", ""],
      ["2", "Al", ""],
    ],
  });
  expect(await read("id,name\n1,Jo,\n2,Al, ,\n")).toMatchObject({
    columns: ["id", "name"],
    cells: [
      ["1", "Jo"],
      ["2", "Al"],
    ],
  });
  await expect(read("id,name\n1,Jo,x\n")).rejects.toThrow("line 2: 3 cells, but the header has 2 columns");
  expect((await read("id,,name\n1,,Jo\n")).columns).toEqual(["id", "column 2", "name"]);
  await expect(read(", \n1,2\n", { headerLine: 1 })).rejects.toThrow("line 1: column 1 has no name");
});

test("UTF-16 without a mark is detected although some characters end in a zero", async () => {
  const wide = `id,name\n${Array.from({ length: 40 }, (_, index) => `${1000 + index},山\u3000一郎\n`).join("")}`;
  expect((await read(Buffer.from(wide, "utf16le"))).cells[0]).toEqual(["1000", "山\u3000一郎"]);
  expect((await read(swapped(wide))).cells[0]).toEqual(["1000", "山\u3000一郎"]);
});

test("files in UTF-16 that were joined are refused", async () => {
  const joined = Buffer.from(`\ufeff${csv}\ufeff${csv}`, "utf16le");
  for (const size of [2, 7, 65_536])
    await expect(read(joined, {}, size)).rejects.toThrow("line 4: a byte order mark in the middle");
});

test("an encoding that shows itself after the beginning of the file is detected from the later lines", async () => {
  const plain = "id,name\n" + Array.from({ length: 20_000 }, (_, index) => `${index},Jo\n`).join("");
  const late = (name: string, bytes: readonly number[]) =>
    Buffer.concat([Buffer.from(plain), Buffer.from(`9,${name}`), Buffer.from(bytes), Buffer.from("\n")]);
  const polish = Buffer.concat([
    Buffer.from(plain),
    // "Łódź, Święta, Gdańsk, Żółć" in Windows-1250
    Buffer.from("9,\xa3\xf3d\x9f \x8cwi\xeata Gda\xf1sk \xaf\xf3\xb3\xe6\n", "latin1"),
  ]);
  const laterOf = async (bytes: Buffer) => {
    const { reading } = await recognizeFile(inPieces(bytes, 1_000), {});
    expect(reading.encoding).toBe("utf-8");
    return (await recognizeLater(inPieces(bytes, 1_000), reading))?.encoding;
  };
  expect(await laterOf(polish)).toBe("windows-1250");
  expect(await laterOf(late("M", [0xfc]))).toBe("windows-1252");
  expect(await laterOf(gzipSync(polish))).toBe("windows-1250");
  expect(await laterOf(late("Zoë Ölgör ", [0xff]))).toBeUndefined();
  const { reading } = await recognizeFile(inPieces(polish, 1_000), { encoding: "utf-8" });
  expect(await recognizeLater(inPieces(polish, 1_000), reading)).toBeUndefined();
});

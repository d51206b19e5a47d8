import { expect, test } from "vitest";
import { readCsv } from "./csv.js";
import { readJson, readNdjson } from "./json.js";
import type { ReadScheduler } from "./scheduler.js";
import { maxNamesLength, maxRowBytes, type Row, type Table } from "./table.js";
import { readText } from "./text.js";

/** Splits the bytes into pieces of the given size, so that every boundary occurs. */
async function* inPieces(bytes: Buffer, size = 64 * 1024): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const text = (content: string | Buffer, pieceSize?: number) =>
  readText(inPieces(Buffer.from(content as string), pieceSize));
const csv = (content: string | Buffer, { delimiter = ",", pieceSize = 64 * 1024 } = {}) =>
  readCsv(text(content, pieceSize), { delimiter });

async function rowsOf(table: Table | Promise<Table>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of (await table).rows) rows.push(row);
  return rows;
}

const header = "transactionId,cardType\n";

test("a CSV file is read with the line of each row, whatever the line ends, quotes and blank lines", async () => {
  const content = 'transactionId,cardType\r\nT-1,"a, ""b""\r\nc"\r\n\r\nT-2,ü\r\n';
  for (const pieceSize of [1, 2, 3, 7, 65_536]) {
    const table = await csv(content, { pieceSize });
    expect(table.columns).toEqual(["transactionId", "cardType"]);
    expect(await rowsOf(table)).toEqual([
      { line: 2, cells: ["T-1", 'a, "b"\r\nc'] },
      { line: 5, cells: ["T-2", "ü"] },
    ]);
  }
});

test("a byte order mark at the beginning is dropped; a later one is an error with its line", async () => {
  expect((await csv(`\ufeff${header}T-1,x\n`)).columns).toEqual(["transactionId", "cardType"]);
  for (const pieceSize of [1, 5, 65_536]) {
    await expect(rowsOf(csv(`\ufeff${header}T-1,x\n\ufeff${header}T-2,y\n`, { pieceSize }))).rejects.toThrow(
      "line 3: a byte order mark in the middle of the file",
    );
  }
  expect(await rowsOf(csv(`${header}T-1,a\ufeffb\n`))).toHaveLength(1);
});

test("a wrong delimiter is an error with the line and the likely delimiter", async () => {
  await expect(csv("transactionId;cardType\nT-1;x\n")).rejects.toThrow(
    'line 1: the header has only one column, "transactionId;cardType"; if the separator is ";", select it',
  );
  await expect(csv("transactionId\tcardType\n")).rejects.toThrow("if the separator is a tab, select it");
});

test("a row with another number of cells has a problem with its line, and the other rows are read", async () => {
  const problems = async (content: string) =>
    (await rowsOf(csv(content))).map(({ line, cells, problem }) => [line, cells, problem?.data]);
  expect(await problems(`${header}T-1,x\nT-2,y,z\nT-3\nT-4,x\n`)).toEqual([
    [2, ["T-1", "x"], undefined],
    [3, ["T-2", "y z"], { cells: 3, columns: 2 }],
    [4, ["T-3", ""], { cells: 1, columns: 2 }],
    [5, ["T-4", "x"], undefined],
  ]);
  expect(await problems(`${header}"T-1\n",x\nT-2\n`)).toContainEqual([
    4,
    ["T-2", ""],
    { cells: 1, columns: 2 },
  ]);
});

test("a file in which no row has as many cells as the header is refused", async () => {
  await expect(rowsOf(csv(header + "T-1,x,y\n".repeat(3)))).rejects.toThrow(
    "line 2: 3 cells, but the header has 2 columns",
  );
  await expect(rowsOf(csv(header + "T-1,x,y\n".repeat(100)))).rejects.toThrow("line 2: 3 cells");
});

test("a huge field and an unclosed quote are errors with the line on which the row starts", async () => {
  const huge = "x".repeat(maxRowBytes + 1);
  await expect(rowsOf(csv(`${header}T-1,x\nT-2,${huge}\n`))).rejects.toThrow(
    "line 3: the row that starts here is larger than 5 MB",
  );
  await expect(rowsOf(csv(`${header}T-1,x\nT-2,"${"x\n".repeat(3_000_000)}`))).rejects.toThrow(
    "line 3: the row that starts here is larger than 5 MB",
  );
  await expect(rowsOf(csv(`${header}T-1,x\nT-2,"y\nz\n`))).rejects.toThrow(
    "line 3: a quoted cell starts in this row and is not closed",
  );
  await expect(rowsOf(csv(`${header}T-1,"x"y\n`))).rejects.toThrow(
    "line 2: text after the closing quote of a cell",
  );
});

test("invalid UTF-8 is an error with its line", async () => {
  const latin = Buffer.concat([Buffer.from(`${header}T-1,ü\nT-2,`), Buffer.from([0xfc]), Buffer.from("\n")]);
  for (const pieceSize of [1, 4, 65_536]) {
    await expect(rowsOf(csv(latin, { pieceSize }))).rejects.toThrow("line 3: not valid UTF-8");
  }
  const utf16 = Buffer.from(`\ufeff${header}T-1,x\n`, "utf16le");
  await expect(rowsOf(csv(utf16))).rejects.toThrow("line 1: the file is encoded in UTF-16");
  await expect(rowsOf(csv(Buffer.from("PK\u0003\u0004 workbook")))).rejects.toThrow(
    "line 1: the file is a ZIP",
  );
  const cut = Buffer.from(`${header}T-1,ü`).subarray(0, -1);
  await expect(rowsOf(csv(cut))).rejects.toThrow("line 2: not valid UTF-8");
});

test("a header without names is an error", async () => {
  await expect(csv("")).rejects.toThrow("line 1: the file is empty");
  await expect(csv(",,\n1,2,3\n")).rejects.toThrow("line 1: column 1 has no name");
});

test("repeated names are numbered, and invisible characters in names do not count", async () => {
  const { columns } = await csv("type,Paid\u00a0at\u200b,type,type (2),\ufeff type,\n");
  expect(columns).toEqual(["type", "Paid at", "type (3)", "type (2)", "type (4)", "column 6"]);
});

test("NDJSON is read line by line, each record as it was written", async () => {
  const record = '{"transactionId": "T-1", "amountTotal": 0.10000000000000000555}';
  for (const pieceSize of [1, 7, 65_536]) {
    expect(await rowsOf(readNdjson(text(`${record}\r\n\n${record}`, pieceSize)))).toEqual([
      { line: 1, cells: [record], isJson: true },
      { line: 3, cells: [record], isJson: true },
    ]);
  }
  await expect(rowsOf(readNdjson(text('{}\n{"a":}\n')))).rejects.toThrow("line 2: not valid JSON");
  await expect(rowsOf(readNdjson(text(`{}\n${" ".repeat(maxRowBytes + 1)}`)))).rejects.toThrow(
    "line 2: the record that starts here is larger than 5 MB",
  );
});

test("a long record is checked like a short one without blocking other work", async () => {
  const deep = `${"[".repeat(500_000)}${"]".repeat(500_000)}`;
  let turns = 0;
  const scheduler: ReadScheduler = {
    isSpent: true,
    giveWay: async () => {
      turns += 1;
    },
    wait: (work) => work,
  };
  expect(await rowsOf(readNdjson(text(deep), scheduler))).toEqual([{ line: 1, cells: [deep], isJson: true }]);
  expect(turns).toBeGreaterThan(10);
  await expect(rowsOf(readNdjson(text(`{}\n${deep}]\n`)))).rejects.toThrow("line 2: not valid JSON");
  await expect(rowsOf(readJson(text(`[\n${deep.slice(0, -1)}x]`), "accounts"))).rejects.toThrow("line 2:");
});

test("the records of a JSON array keep their exact text, in the array alone or inside a request body", async () => {
  const first = '{"a":"],}\\"","n":1.50}';
  const second = '{\n "b": [1, {"c": "ü"}]\n}';
  const expected = [
    { line: 2, cells: [first], isJson: true },
    { line: 3, cells: [second], isJson: true },
  ];
  for (const pieceSize of [1, 3, 65_536]) {
    expect(await rowsOf(readJson(text(`[\n${first},\n${second}\n ]\n`, pieceSize), "accounts"))).toEqual(
      expected,
    );
    const body = `{"metadata":{"accounts":[1]}, "accounts" : [\n${first},\n${second} ], "x": null}`;
    expect(await rowsOf(readJson(text(body, pieceSize), "accounts"))).toEqual(expected);
  }
  expect(await rowsOf(readJson(text(" [ ] "), "accounts"))).toEqual([]);
});

const oneRecord = '{"id":1}';
const twoRecords = `[${oneRecord},{"id":2}]`;

test.each([
  ["under another name", `{"meta":{"page":1},"results":${twoRecords},"next":null}`, "results"],
  ["two levels down", `{"data":{"errors":[],"ids":[1],"items":${twoRecords}}}`, "data.items"],
  ["five levels down", `{"a":{"b":{"c":{"d":{"e":${twoRecords}}}}}}`, "a.b.c.d.e"],
  ["named like the resource", `{"links":[{}],"data":{"Accounts":${twoRecords}}}`, "data.Accounts"],
  ["after long metadata", `{"note":"${"x".repeat(100_000)}","rows":${twoRecords}}`, "rows"],
])("the array of records is found in any object: %s", async (_name, content, path) => {
  for (const pieceSize of [1, 3, 65_536]) {
    const table = readJson(text(content, pieceSize), "accounts");
    expect((await rowsOf(table)).map(({ cells }) => cells)).toEqual([['{"id":1}'], ['{"id":2}']]);
    expect(table.facts?.()).toEqual([{ code: "recordArray", data: { path } }]);
  }
});

test("the array of a request body is read, whatever the metadata contains", async () => {
  const body = `{"metadata":{"history":${twoRecords},"accounts":[{}]},"accounts":${twoRecords},"errors":[{}]}`;
  const table = readJson(text(body), "accounts");
  expect(await rowsOf(table)).toHaveLength(2);
  expect(table.facts?.()).toEqual([]);
  expect(await rowsOf(readJson(text('{"accounts":[],"errors":[{}]}'), "accounts"))).toEqual([]);
});

test.each([
  ["beside each other", `{"paid":${twoRecords},"open":${twoRecords}}`, '"paid", "open"'],
  [
    "both named like the resource",
    '{"a":{"accounts":[{}]},"b":{"accounts":[{}]}}',
    '"a.accounts", "b.accounts"',
  ],
  ["far apart", `{"paid":[${`${oneRecord},`.repeat(20_000)}{}],"open":${twoRecords}}`, '"paid", "open"'],
])("several arrays of objects are refused with their names: %s", async (_name, content, names) => {
  await expect(rowsOf(readJson(text(content), "accounts"))).rejects.toThrow(
    `the file has several arrays of objects: ${names}. Rename the array with the records to "accounts"`,
  );
});

test.each([
  ["of values", '{"rows":[1,2]}'],
  ["six levels down", `{"a":{"b":{"c":{"d":{"e":{"f":${twoRecords}}}}}}}`],
])("an object without an array of objects is refused: %s", async (_name, content) => {
  await expect(rowsOf(readJson(text(content), "accounts"))).rejects.toThrow(
    'the object has no array "accounts" and no other array of objects',
  );
});

test.each([
  ["[1 2]", "line 1: not valid JSON"],
  ["[1,\n]", "line 2: not valid JSON"],
  ['[\n{"a":1}\n{"b":2}]', "line 2"],
  ['[\n{"a":', "line 2: not valid JSON: the value that starts here is incomplete"],
  ["[1]\n\nx", "line 3: not valid JSON: unexpected text after the end"],
  ["5", "line 1: expected a JSON array of accounts"],
  ['{"transactions":[]}', 'line 1: the object has no array "accounts"'],
  ['{"accounts":[]\n"x":1}', "line 2: not valid JSON: expected a comma or the end of the object"],
  ['{"accounts":[],}', "line 1: not valid JSON: expected a member name"],
  ["", "line 1: expected a JSON array of accounts"],
])("malformed JSON is an error with its line: %s", async (content, message) => {
  await expect(rowsOf(readJson(text(content), "accounts"))).rejects.toThrow(message);
});

test("the total length of column names is limited", async () => {
  const half = "x".repeat(maxNamesLength / 2);
  expect((await csv(`${half},${half.slice(1)}y\n`)).columns).toHaveLength(2);
  await expect(csv(`${half},${half}y\n`)).rejects.toThrow(
    "line 1: the column names have more than 262,144 characters; check that this is the header line",
  );
});

test("columns that are aligned by spaces are refused with a reason", async () => {
  const content = "TICKET    PLATE     AMOUNT\n1001      AB 123     12.50\n1002      AB 124      7.00\n";
  await expect(csv(content)).rejects.toThrow("line 1: the header has only one column");
  await expect(csv(content)).rejects.toThrow("the columns seem to be aligned by spaces");
});

import { test } from "vitest";
import { amount, startRig } from "../../../testing/rig.js";
import { isLinear, timeOf, type Case } from "../testing/linear-time.js";
import { slowArchives, slowSheets, slowTexts } from "../testing/slow-files.js";
import { readTable } from "./read-table.js";
import { recognizeFile } from "./recognize.js";
import { emptyMapping } from "./record/mapping.js";
import { prepareRows } from "./record/prepare.js";
import { readXml } from "./xlsx/xml.js";

/** Compared with four times as many bytes. Both stay below the maximum row length. */
const fileBytes = amount(64 * 1024, 1024 * 1024);
/**
 * Repeated searches in a string are so fast that only long strings show them. Below a megabyte, the first
 * full garbage collection looks like growth.
 */
const documentBytes = 1024 * 1024;
const largePieceBytes = 64 * 1024;
/** Rows are converted independently, so a few rows show the cost of long cells. */
const convertedRows = 20;

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readFile(bytes: Buffer, pieceBytes: number): Promise<void> {
  const { reading, chunks } = await recognizeFile(inPieces(bytes, pieceBytes), {});
  const table = await readTable(chunks, { ...reading, arrayName: "transactions" });
  const options = { mapping: emptyMapping, ignoreUnknownColumns: true, timeZone: "Europe/Berlin" };
  const prepare = prepareRows(table.columns, "transactions", options);
  let rows = 0;
  for await (const row of table.rows) {
    rows += 1;
    if (rows <= convertedRows) prepare(row);
  }
}

const files: Case[] = [...slowTexts, ...slowArchives].map(({ name, of }) => ({
  name,
  baseBytes: fileBytes,
  run: (size, pieceBytes) => {
    const bytes = of(size);
    return timeOf(size, () => readFile(bytes, pieceBytes));
  },
}));

/** Decompression chooses the size of pieces, so the reader gets the parts directly. */
const documents: Case[] = slowSheets.map(({ name, xml }) => ({
  name: `XML: ${name}`,
  baseBytes: documentBytes,
  run: (size, pieceBytes) => {
    const bytes = Buffer.from(`<sheetData>${xml(size)}`);
    return timeOf(size, async () => {
      for await (const _ of readXml(inPieces(bytes, pieceBytes)));
    });
  },
}));

test("no file takes more than linear time to read, in large pieces", async () => {
  await isLinear(startRig("readers: large pieces"), files, largePieceBytes);
});

test("no file takes more than linear time to read, in tiny pieces", async () => {
  const rig = startRig("readers: tiny pieces");
  // Archives are decompressed or collected before they are read.
  const texts = files.filter(({ name }) => slowTexts.some((file) => file.name === name));
  await isLinear(rig, texts, rig.random.between(32, 96));
});

test("no document of a spreadsheet takes more than linear time to parse, in small pieces", async () => {
  const rig = startRig("readers: small pieces of documents");
  await isLinear(rig, documents, rig.random.between(512, 1_024));
});

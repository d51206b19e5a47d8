import { expect, test } from "vitest";
import { amount, startRig, type Rig } from "../../../testing/rig.js";
import { slowArchives, slowSheets, slowTexts } from "../testing/slow-files.js";
import { readTable } from "./read-table.js";
import { recognizeFile } from "./recognize.js";
import { emptyMapping } from "./record/mapping.js";
import { prepareRows } from "./record/prepare.js";
import { InputError } from "./refusals.js";
import { readXml } from "./xlsx/xml.js";

/** What is compared with four times as much. Both stay below the longest row that is read. */
const fileBytes = amount(64 * 1024, 1024 * 1024);
/** Searching a string again and again is so quick that only long ones show it. */
const documentBytes = amount(512 * 1024, 1024 * 1024);
const growth = 4;
/** Twice what is expected of linear growth, and half of what quadratic growth would give. */
const maxRatio = 2 * growth;
/** The processor does other things as well, so the best of these counts. Quadratic growth shows in each of them. */
const tries = 10;
const largePieceBytes = 64 * 1024;
/** Converting one row does not depend on those before it, so a few of them show what long cells cost. */
const convertedRows = 20;

interface Measured {
  bytes: number;
  seconds: number;
}

interface Case {
  name: string;
  baseBytes: number;
  run(size: number, pieceBytes: number): Promise<Measured>;
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The processor time of reading. What cannot be read must be refused with a message for people. */
async function measured(bytes: number, read: () => Promise<void>): Promise<Measured> {
  const before = process.cpuUsage();
  await read().catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
  });
  const { user, system } = process.cpuUsage(before);
  return { bytes, seconds: (user + system) / 1e6 };
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
    return measured(size, () => readFile(bytes, pieceBytes));
  },
}));

/** The pieces in which a part of an archive is unpacked are not ours to choose, so its reader gets them directly. */
const documents: Case[] = slowSheets.map(({ name, xml }) => ({
  name: `XML: ${name}`,
  baseBytes: documentBytes,
  run: (size, pieceBytes) => {
    const bytes = Buffer.from(`<sheetData>${xml(size)}`);
    return measured(size, async () => {
      for await (const _ of readXml(inPieces(bytes, pieceBytes)));
    });
  },
}));

interface Grown {
  ratio: number;
  microsecondsPerKilobyte: number;
}

async function grown({ run, baseBytes }: Case, pieceBytes: number): Promise<Grown> {
  await run(baseBytes, pieceBytes);
  let best: Grown = { ratio: Number.POSITIVE_INFINITY, microsecondsPerKilobyte: 0 };
  for (let attempt = 0; attempt < tries && best.ratio >= maxRatio; attempt += 1) {
    const small = await run(baseBytes, pieceBytes);
    const large = await run(baseBytes * growth, pieceBytes);
    // Below a millisecond, a look at the clock is what is measured.
    const ratio = large.seconds / Math.max(small.seconds, 0.001);
    const microsecondsPerKilobyte = (large.seconds * 1e6) / (large.bytes / 1024);
    if (ratio < best.ratio) best = { ratio, microsecondsPerKilobyte };
  }
  return best;
}

async function tryAll(rig: Rig, cases: readonly Case[], pieceBytes: number): Promise<void> {
  const slow: string[] = [];
  let dearest = { name: "", microsecondsPerKilobyte: 0 };
  let steepest = { name: "", ratio: 0 };
  for (const each of rig.random.shuffled(cases)) {
    const { ratio, microsecondsPerKilobyte } = await grown(each, pieceBytes);
    if (ratio >= maxRatio) slow.push(`${each.name}: ${ratio.toFixed(1)} times the time`);
    if (microsecondsPerKilobyte > dearest.microsecondsPerKilobyte)
      dearest = { name: each.name, microsecondsPerKilobyte };
    if (ratio > steepest.ratio) steepest = { name: each.name, ratio };
  }
  expect(slow, `with ${growth} times as many bytes, in pieces of ${pieceBytes}`).toEqual([]);
  rig.held({
    "kinds of files": cases.length,
    "bytes a piece": pieceBytes,
    [`times the processor time for ${growth} times as many bytes, at most`]: `${steepest.ratio.toFixed(1)} (${steepest.name})`,
    "microseconds of processor time a kilobyte, at most": `${dearest.microsecondsPerKilobyte.toFixed(1)} (${dearest.name})`,
  });
}

test("no file takes more than linear time to read, in large pieces", async () => {
  await tryAll(startRig("readers: large pieces"), files, largePieceBytes);
});

test("no file takes more than linear time to read, in tiny pieces", async () => {
  const rig = startRig("readers: tiny pieces");
  // Archives are unpacked or collected before they are read.
  const texts = files.filter(({ name }) => slowTexts.some((file) => file.name === name));
  await tryAll(rig, texts, rig.random.between(32, 96));
});

test("no document of a spreadsheet takes more than linear time to parse, in small pieces", async () => {
  const rig = startRig("readers: small pieces of documents");
  await tryAll(rig, documents, rig.random.between(512, 1_024));
});

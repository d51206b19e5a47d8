/** The same foreign export in each format: semicolons or JSON, German dates and amounts, eleven columns. */
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { Writable } from "node:stream";
import { ZipWriter } from "@zip.js/zip.js";

export const formats = /** @type {const} */ (["csv", "ndjson", "json", "xlsx"]);
/** @typedef {(typeof formats)[number]} Format */

const locationUuid = "0197e3a1-4f6b-7c3d-8e2a-5b9c1d7f4e60";

const columns = {
  Ticket: "transactionId",
  Kind: { to: "type", values: { Short: 1 } },
  In: "sessionStart",
  Out: ["sessionEnd", "transactionDate"],
  Amount: "amountTotal",
  Card: "cardType",
  Plate: "vehicle.licensePlate",
  Mail: "contact.email",
  Customer: "account.tpReferenceId",
  Company: "account.name",
  Lane: null,
};

/** How the rows become transactions. */
export const mapping = {
  columns,
  constants: { locationUuid },
  time: ["dd.MM.yyyy HH:mm"],
  number: "1.234,50",
  timeZone: "Europe/Berlin",
};

/** @param {number} index */
function cellsOf(index) {
  // Before the clocks change in autumn, so that every local time exists once.
  const start = Date.UTC(2026, 3, 1, 6) + (index % 250_000) * 60_000;
  const [amount, cents] = [index % 2000, String(index % 100).padStart(2, "0")];
  return [
    `T-${index}`,
    "Short",
    german(start),
    german(start + 5_400_000),
    `${amount.toLocaleString("de")},${cents}`,
    "VISA",
    `B-AB ${index % 100_000}`,
    `driver${index}@example.com`,
    `C-${index % 5000}`,
    index % 3 === 0 ? "Müller; Söhne" : "Weber GmbH",
    String(index % 7),
  ];
}

/** @param {number} moment */
function german(moment) {
  const [date = "", time = ""] = new Date(moment).toISOString().split("T");
  return `${date.split("-").toReversed().join(".")} ${time.slice(0, 5)}`;
}

/**
 * The file in pieces of many rows.
 * @param {Format} format
 * @param {number} rows
 */
function* piecesOf(format, rows) {
  const names = Object.keys(columns);
  const objectOf = (/** @type {string[]} */ cells) =>
    JSON.stringify(Object.fromEntries(cells.map((cell, at) => [names[at], cell])));
  const { start, row, separator, end } = {
    csv: { start: `${line(names)}\n`, row: line, separator: "\n", end: "\n" },
    ndjson: { start: "", row: objectOf, separator: "\n", end: "\n" },
    json: { start: "[", row: objectOf, separator: ",\n", end: "]" },
    xlsx: { start: `${sheetStart}${sheetRow(names)}`, row: sheetRow, separator: "", end: sheetEnd },
  }[format];
  let piece = start;
  for (let index = 0; index < rows; index += 1) {
    piece += (index === 0 ? "" : separator) + row(cellsOf(index));
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  yield piece + end;
}

const pieceLength = 1024 * 1024;
const line = (/** @type {string[]} */ cells) =>
  cells.map((cell) => (cell.includes(";") ? `"${cell}"` : cell)).join(";");

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const sheetStart = `<worksheet ${main}><sheetData>`;
const sheetEnd = "</sheetData></worksheet>";
const sheetRow = (/** @type {string[]} */ cells) =>
  `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join("")}</row>`;

/**
 * @param {string} file
 * @param {Format} format
 * @param {number} rows
 */
export async function writeFileOf(file, format, rows) {
  const target = createWriteStream(file);
  if (format === "xlsx") await writeWorkbook(target, piecesOf(format, rows));
  else {
    for (const piece of piecesOf(format, rows)) if (!target.write(piece)) await once(target, "drain");
    target.end();
    await once(target, "close");
  }
}

/**
 * @param {import("node:fs").WriteStream} target
 * @param {Iterable<string>} sheet
 */
async function writeWorkbook(target, sheet) {
  const zip = new ZipWriter(Writable.toWeb(target), { useWebWorkers: false });
  const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const parts = {
    "[Content_Types].xml": ["<Types/>"],
    "xl/workbook.xml": [
      `<workbook ${main} xmlns:r="${relation}"><sheets><sheet name="Sales" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    "xl/_rels/workbook.xml.rels": [
      `<Relationships><Relationship Id="rId1" Type="${relation}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ],
    "xl/worksheets/sheet1.xml": sheet,
  };
  for (const [name, content] of Object.entries(parts))
    await zip.add(name, ReadableStream.from(encoded(content)));
  await zip.close();
}

/** @param {Iterable<string>} pieces */
async function* encoded(pieces) {
  const encoder = new TextEncoder();
  for (const piece of pieces) yield encoder.encode(piece);
}

import { maxBodyBytes } from "@gatehouse-parking/contract";
import { CsvError, parse } from "csv-parse/browser/esm/sync";
import { checkedJson } from "@gatehouse-parking/client/push/input/ndjson";
import { recordColumn, type Row } from "@gatehouse-parking/client/push/input/table";

/** A file read whole. An NDJSON file is a table with one column that holds each record as its JSON text. */
export interface ReadFile {
  name: string;
  /** Tells this content from a corrected one of the same name. */
  identity: string;
  kind: "csv" | "ndjson";
  columns: string[];
  rows: Row[];
}

/** A browser holds the file and everything made of it in memory. Larger ones are for the command line. */
const maxFileBytes = 50 * 1024 * 1024;
const delimiters = [",", ";", "\t", "|"];

/** Throws an Error whose message says what is wrong with the file and where. */
export async function readFile(file: File): Promise<ReadFile> {
  if (file.size > maxFileBytes) {
    throw new Error("The file is above 50 MB. Use the command line for it: npx gatehouse-push");
  }
  const bytes = await file.arrayBuffer();
  const text = decode(bytes);
  const isCsv = !text.trimStart().startsWith("{");
  const table = isCsv ? readCsv(text) : readNdjson(text);
  if (table.rows.length === 0) throw new Error("The file has no records.");
  return {
    name: file.name,
    identity: await digest(bytes),
    kind: isCsv ? "csv" : "ndjson",
    ...table,
  };
}

async function digest(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("The file is not encoded in UTF-8. Save it as UTF-8 (in a spreadsheet: “CSV UTF-8”).");
  }
}

function readNdjson(text: string): Pick<ReadFile, "columns" | "rows"> {
  const rows = text
    .split("\n")
    .map((record, index) => ({ line: index + 1, cells: [record.trim()] }))
    .filter((row) => row.cells[0] !== "");
  for (const row of rows) checkedJson(row.cells[0] as string, row.line);
  return { columns: [recordColumn], rows };
}

function readCsv(text: string): Pick<ReadFile, "columns" | "rows"> {
  const records = parseCsv(text);
  const header = records.shift();
  const columns = (header?.record ?? []).map((name) => name.trim());
  checkHeader(columns);
  const rows = records.map(({ record, info }) => ({ line: info.lines, cells: record }));
  return { columns, rows };
}

interface ParsedRecord {
  record: string[];
  info: { lines: number };
}

function parseCsv(text: string): ParsedRecord[] {
  try {
    return parse(text, {
      delimiter: guessDelimiter(text),
      record_delimiter: ["\r\n", "\n", "\r"],
      skip_empty_lines: true,
      info: true,
      max_record_size: maxBodyBytes,
    }) as unknown as ParsedRecord[];
  } catch (error) {
    throw error instanceof CsvError ? new Error(`The CSV cannot be read: ${error.message}`) : error;
  }
}

/** The mark that occurs most often in the header line. */
function guessDelimiter(text: string): string {
  const header = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const counts = delimiters.map((mark) => header.split(mark).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ",";
}

function checkHeader(columns: string[]): void {
  for (const [position, name] of columns.entries()) {
    if (name === "")
      throw new Error(`Column ${position + 1} has no name. The first line must name the columns.`);
    if (columns.indexOf(name) !== position) throw new Error(`The column “${name}” is there twice.`);
  }
}

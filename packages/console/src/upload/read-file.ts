import {
  guessDelimiter,
  HeaderError,
  InputError,
  readCsv,
  readNdjson,
  readText,
  type Row,
  type Table,
} from "@gatehouse-parking/record-files";

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

/** Throws an Error whose message says what is wrong with the file and where. */
export async function readFile(file: File): Promise<ReadFile> {
  if (file.size > maxFileBytes) {
    throw new Error("The file is larger than 50 MB. Use the gatehouse-push command-line tool instead.");
  }
  const bytes = await file.arrayBuffer();
  const text = await decode(bytes);
  const isCsv = !text.trimStart().startsWith("{");
  const { columns, rows } = text.trim() === "" ? nothing : isCsv ? await csvIn(text) : await ndjsonIn(text);
  if (rows.length === 0) throw new Error("The file contains no records.");
  return { name: file.name, identity: await digest(bytes), kind: isCsv ? "csv" : "ndjson", columns, rows };
}

type Content = Pick<ReadFile, "columns" | "rows">;
const nothing: Content = { columns: [], rows: [] };

async function csvIn(text: string): Promise<Content> {
  try {
    const table = await readCsv(once(text), { delimiter: guessDelimiter(text) });
    return { columns: table.columns, rows: await rowsOf(table) };
  } catch (error) {
    throw inOurWords(error, "CSV");
  }
}

async function ndjsonIn(text: string): Promise<Content> {
  const table = readNdjson(once(text));
  return { columns: table.columns, rows: await rowsOf(table) };
}

async function digest(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function decode(bytes: ArrayBuffer): Promise<string> {
  try {
    let text = "";
    for await (const piece of readText(once(new Uint8Array(bytes)))) text += piece;
    return text;
  } catch (error) {
    throw inOurWords(error, "file");
  }
}

async function rowsOf(table: Table): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of table.rows) rows.push(row);
  return rows;
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

/** The same in the words of this page. */
function inOurWords(error: unknown, subject: "CSV" | "file"): unknown {
  if (error instanceof HeaderError)
    return error.repeatedName === undefined
      ? new Error(`Column ${error.position + 1} has no name. The first line must name the columns.`)
      : new Error(`The column “${error.repeatedName}” appears twice.`);
  return error instanceof InputError ? new Error(`The ${subject} cannot be read: ${error.message}`) : error;
}

import { openBrace, openBracket } from "@gatehouse-parking/json-text";
import { arraysIn, itemsIn } from "./json-arrays.js";
import { checkJsonYielding } from "./json-check.js";
import { PieceReader } from "./json-pieces.js";
import { RecordArray } from "./record-array.js";
import { inputError } from "./refusals.js";
import { defaultScheduler, type ReadScheduler } from "./scheduler.js";
import { maxRowBytes, recordColumn, type Row, type Table } from "./table.js";

/** Reads an array of records, or an object that contains the array, like a request body or the answer of an API. */
export function readJson(
  text: AsyncIterable<string>,
  resource: string,
  scheduler: ReadScheduler = defaultScheduler(),
): Table {
  const array = new RecordArray(resource);
  return { columns: [recordColumn], rows: rowsOf(text, array, scheduler), facts: () => array.facts() };
}

async function* rowsOf(
  text: AsyncIterable<string>,
  array: RecordArray,
  scheduler: ReadScheduler,
): AsyncGenerator<Row> {
  const reader = new PieceReader(text, scheduler);
  const first = await reader.skipSpace();
  if (first === openBracket) {
    reader.next();
    yield* itemsIn(reader);
  } else if (first === openBrace) yield* memberRowsOf(reader, array, scheduler);
  else throw inputError(reader.line, "arrayExpected", { name: array.resource });
  if ((await reader.skipSpace()) !== undefined) throw inputError(reader.line, "jsonFollowed");
}

/** Skips other members, such as metadata. */
async function* memberRowsOf(
  reader: PieceReader,
  array: RecordArray,
  scheduler: ReadScheduler,
): AsyncGenerator<Row> {
  await array.choose(await reader.textAhead(sampleLength), scheduler);
  for await (const found of arraysIn(reader)) {
    const isWanted = array.isWanted(found);
    for await (const row of itemsIn(reader)) if (isWanted) yield row;
  }
  if (!array.isFound) throw inputError(1, "arrayMissing", { name: array.resource });
}

/** How many characters are searched for the array of records before the first record is read. */
const sampleLength = 64 * 1024;

/** Reads one JSON record per line and skips blank lines. */
export function readNdjson(
  text: AsyncIterable<string>,
  scheduler: ReadScheduler = defaultScheduler(),
): Table {
  return { columns: [recordColumn], rows: recordLines(text, scheduler), facts: () => [] };
}

async function* recordLines(text: AsyncIterable<string>, scheduler: ReadScheduler): AsyncGenerator<Row> {
  let line = 1;
  for await (const content of linesOf(text)) {
    const record = content.trim();
    if (record !== "")
      yield { line, cells: [await checkJsonYielding(record, line, scheduler)], isJson: true };
    line += 1;
  }
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let line = 1;
  let begun = "";
  for await (const piece of text) {
    let start = 0;
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", start)) {
      yield begun + piece.slice(start, end);
      begun = "";
      line += 1;
      start = end + 1;
    }
    begun += piece.slice(start);
    if (begun.length > maxRowBytes) throw inputError(line, "rowTooLarge", { maxBytes: maxRowBytes });
  }
  yield begun;
}

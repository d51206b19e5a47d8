import { InputError, maxRowBytes, recordColumn, type Row, type Table } from "./table.js";

const newline = 0x0a;

/** One JSON record a line; blank lines are skipped. */
export function readNdjson(text: AsyncIterable<Buffer>): Table {
  return { columns: [recordColumn], rows: rowsOf(text) };
}

async function* rowsOf(text: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let line = 1;
  for await (const bytes of linesOf(text)) {
    const record = bytes.toString("utf8").trim();
    if (record !== "") yield { line, cells: [checkedJson(record, line)] };
    line += 1;
  }
}

async function* linesOf(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let line = 1;
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of text) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]);
      parts = [];
      bytes = 0;
      line += 1;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > maxRowBytes) throw new InputError(line, "a line above 5 MB; no larger record can be sent");
  }
  yield Buffer.concat(parts);
}

/** The text of a record, which is kept as it is: its numbers may have more digits than a parsed value holds. */
export function checkedJson(text: string, line: number): string {
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    // Newer engines count lines within the record, which has only one; the file's line is the one to say.
    const reason = (error as Error).message.replace("line 1 column", "column");
    throw new InputError(line, `not valid JSON: ${reason}`);
  }
}

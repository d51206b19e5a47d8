import { checkJson, checkJsonInTurns, MalformedJson } from "@gatehouse-parking/json-text";
import { ownPace, type Pace } from "./pace.js";
import { InputError, maxRowBytes, recordColumn, type Row, type Table } from "./table.js";

/** One JSON record a line; blank lines are skipped. */
export function readNdjson(text: AsyncIterable<string>, pace: Pace = ownPace()): Table {
  return { columns: [recordColumn], rows: rowsOf(text, pace) };
}

async function* rowsOf(text: AsyncIterable<string>, pace: Pace): AsyncGenerator<Row> {
  let line = 1;
  for await (const content of linesOf(text)) {
    const record = content.trim();
    if (record !== "") yield { line, cells: [await checkedInTurns(record, line, pace)], isJson: true };
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
    if (begun.length > maxRowBytes)
      throw new InputError(line, "a line above 5 MB; no larger record can be sent");
  }
  yield begun;
}

/** Up to here parsing costs nothing that anybody would notice, and its messages are the better ones. */
const maxParsedLength = 4_096;

/**
 * The text of a record, which is kept as it is: its numbers may have more digits than a parsed value holds. A long one is
 * not parsed: a few megabytes of brackets would hold everybody up for seconds.
 */
export function checkedJson(text: string, line: number): string {
  try {
    if (text.length <= maxParsedLength) JSON.parse(text);
    else checkJson(text);
    return text;
  } catch (error) {
    throw notJson(error, line);
  }
}

/** The same, giving way to other work. */
export async function checkedInTurns(text: string, line: number, pace: Pace): Promise<string> {
  if (text.length <= maxParsedLength) return checkedJson(text, line);
  try {
    await checkJsonInTurns(text, pace);
    return text;
  } catch (error) {
    throw error instanceof MalformedJson ? notJson(error, line) : error;
  }
}

function notJson(error: unknown, line: number): InputError {
  // Newer engines count lines within the record, which has only one; the file's line is the one to say.
  const reason = (error as Error).message.replace("line 1 column", "column");
  return new InputError(line, `not valid JSON: ${reason}`);
}

import { checkJson, checkJsonInTurns, MalformedJson } from "@gatehouse-parking/json-text";
import { inputError, type InputError } from "./refusals.js";
import type { ReadScheduler } from "./scheduler.js";

/** Below this length JSON.parse is fast enough and has better messages. */
const maxParsedLength = 4_096;

/**
 * Checks a record and keeps its text: numbers may have more digits than a parsed value can hold. Long records
 * are not parsed, because megabytes of brackets would block the event loop for seconds.
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

/** Like checkedJson, but yields to other work. */
export async function checkJsonYielding(
  text: string,
  line: number,
  scheduler: ReadScheduler,
): Promise<string> {
  if (text.length <= maxParsedLength) return checkedJson(text, line);
  try {
    await checkJsonInTurns(text, scheduler);
    return text;
  } catch (error) {
    throw error instanceof MalformedJson ? notJson(error, line) : error;
  }
}

function notJson(error: unknown, line: number): InputError {
  // Newer engines report the line within the record; the file's line is the useful one.
  const reason = (error as Error).message.replace("line 1 column", "column");
  return inputError(line, "notJson", { reason });
}

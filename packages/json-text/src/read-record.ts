import {
  checkInSteps,
  doInTurns,
  scanInSteps,
  scanShort,
  skipSpaceInSteps,
  type Budget,
  type Steps,
} from "./pacing.js";
import { JsonRecord } from "./json-record.js";
import { readLargeInSteps, type WantedNames } from "./large-record.js";
import { MalformedJson, parseJson } from "./malformed-json.js";
import type { Span } from "./scan.js";

/** Records up to this size are parsed at once. A parsed value takes up to thirteen times the memory of its text. */
const maxParsedLength = 4_096;

/** Whether a record must be read in steps. `maxDepth`: how deep a value within it may nest. */
export function isLarge(item: Span, maxDepth: number): boolean {
  // A value in a nested object starts at level 3, so a valid record has at most two more levels.
  return item.end - item.start > maxParsedLength || item.depth > maxDepth + 2;
}

/** Reads a record that is not large. */
export function readRecord(text: string, item: Span, maxDepth: number): JsonRecord {
  const source = text.slice(item.start, item.end);
  return new JsonRecord(parseJson(source), source, item.depth, maxDepth);
}

/** Reads a large record. Builds only the members with these names. */
export function readLargeRecord(
  text: string,
  item: Span,
  { names, maxDepth, budget }: { names: WantedNames; maxDepth: number; budget: Budget },
): Promise<JsonRecord> {
  return doInTurns(readLargeInSteps(text, item, names, maxDepth), budget);
}

/** Reads a text that is a single value. Of a large object, it builds only the members with these names. */
export function readWhole(
  text: string,
  { names, maxDepth, budget }: { names: WantedNames; maxDepth: number; budget: Budget },
): Promise<JsonRecord> {
  return doInTurns(readWholeInSteps(text, names, maxDepth), budget);
}

function* readWholeInSteps(text: string, names: WantedNames, maxDepth: number): Steps<JsonRecord> {
  const start = yield* skipSpaceInSteps(text, 0);
  const whole = yield* checkInSteps(text, start);
  yield* expectEndInSteps(text, whole.end);
  return isLarge(whole, maxDepth)
    ? yield* readLargeInSteps(text, whole, names, maxDepth)
    : readRecord(text, whole, maxDepth);
}

/** Locates the single value of a text. It is checked when it is read. */
export function findValue(text: string, budget: Budget): Promise<Span> {
  return doInTurns(findValueInSteps(text), budget);
}

function* findValueInSteps(text: string): Steps<Span> {
  const start = yield* skipSpaceInSteps(text, 0);
  const value = scanShort(text, start) ?? (yield* scanInSteps(text, start));
  yield* expectEndInSteps(text, value.end);
  return value;
}

export function* expectEndInSteps(text: string, at: number): Steps<void> {
  if ((yield* skipSpaceInSteps(text, at)) !== text.length)
    throw new MalformedJson("Something follows the value");
}

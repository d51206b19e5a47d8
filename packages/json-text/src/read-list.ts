import { closeBrace, closeBracket, isSpaceAt } from "./characters.js";
import { MalformedJson } from "./malformed-json.js";
import {
  checkInSteps,
  doInTurns,
  lookCharacters,
  scanInSteps,
  scanShort,
  skipSpaceInSteps,
  walkInSteps,
  type Budget,
  type Steps,
} from "./pacing.js";
import { expectEndInSteps } from "./read-record.js";
import { expectColon, expectName, isFollowed, nameIn, type Span } from "./scan.js";

/** An object with a list of records. */
export interface RecordList {
  /** Spans of the records; empty if there is no array or too many records. */
  items: Span[];
  submitted: number;
  array: "given" | "missing" | "wrong type";
  /** The members in `otherNames`. */
  others: Map<string, Span>;
}

export interface ListOptions {
  /** The name of the list. */
  name: string;
  maxItems: number;
  /** Other members to locate. */
  otherNames: readonly string[];
  budget: Budget;
}

/**
 * Locates the records of a list, so that they can be read one by one without blocking the event loop. Everything but the
 * records is checked here; they are checked when they are read.
 */
export function readList(text: string, options: ListOptions): Promise<RecordList> {
  return doInTurns(readListInSteps(text, options), options.budget);
}

function* readListInSteps(text: string, { name, maxItems, otherNames }: ListOptions): Steps<RecordList> {
  const list: RecordList = { items: [], submitted: 0, array: "missing", others: new Map() };
  const start = yield* skipSpaceInSteps(text, 0);
  if (text[start] !== "{") throw new MalformedJson("The body must be an object");
  let listAt: number | undefined;
  let at = yield* skipSpaceInSteps(text, start + 1);
  let isOpen = text.charCodeAt(at) !== closeBrace;
  while (isOpen) {
    const { memberName, valueAt } = yield* memberInSteps(text, at);
    const isList = memberName === name;
    const value = isList
      ? yield* readItems(text, list, valueAt, maxItems)
      : yield* checkInSteps(text, valueAt);
    if (otherNames.includes(memberName)) list.others.set(memberName, value);
    if (isList) {
      // The last value of a duplicate name counts, as in JSON.parse. The first one must be valid JSON too.
      if (listAt !== undefined) yield* checkInSteps(text, listAt);
      listAt = valueAt;
    }
    at = yield* skipSpaceInSteps(text, value.end);
    isOpen = isFollowed(text, at, closeBrace);
    if (isOpen) at = yield* skipSpaceInSteps(text, at + 1);
    yield;
  }
  yield* expectEndInSteps(text, at + 1);
  return list;
}

function* readItems(text: string, list: RecordList, start: number, maxItems: number): Steps<Span> {
  list.items = [];
  list.submitted = 0;
  if (text[start] !== "[") {
    list.array = text.startsWith("null", start) ? "missing" : "wrong type";
    return yield* checkInSteps(text, start);
  }
  list.array = "given";
  let at = yield* skipSpaceInSteps(text, start + 1);
  let isOpen = text.charCodeAt(at) !== closeBracket;
  while (isOpen) {
    // A list that is too long is rejected as a whole, so its records are only counted and checked.
    if (list.submitted === maxItems) return yield* countItems(text, list, start);
    const item = scanShort(text, at) ?? (yield* scanInSteps(text, at));
    list.items.push(item);
    list.submitted += 1;
    at = isSpaceAt(text, item.end) ? yield* skipSpaceInSteps(text, item.end) : item.end;
    isOpen = isFollowed(text, at, closeBracket);
    if (isOpen) at = isSpaceAt(text, at + 1) ? yield* skipSpaceInSteps(text, at + 1) : at + 1;
    yield;
  }
  return { start, end: at + 1, depth: 1 };
}

function* countItems(text: string, list: RecordList, start: number): Steps<Span> {
  list.items = [];
  list.submitted = 0;
  const end = yield* walkInSteps(text, start, 1, (level) => {
    if (level === 1) list.submitted += 1;
  });
  return { start, end, depth: 1 };
}

function* memberInSteps(text: string, at: number): Steps<{ memberName: string; valueAt: number }> {
  expectName(text, at);
  const name = yield* scanInSteps(text, at);
  const colonAt = yield* skipSpaceInSteps(text, name.end);
  expectColon(text, colonAt);
  const valueAt = yield* skipSpaceInSteps(text, colonAt + 1);
  if (name.end - name.start <= lookCharacters) return { memberName: nameIn(text, name), valueAt };
  // No requested name is this long, but it must be valid JSON.
  yield* checkInSteps(text, at);
  return { memberName: "", valueAt };
}

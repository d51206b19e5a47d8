import { isUtf8 } from "node:buffer";
import { maxMetadataDepth } from "@gatehouse-parking/contract";
import { JsonRecord } from "./json-record.js";
import { largeRecord, type WantedNames } from "./large-record.js";
import { YieldBudget } from "../scheduling/yield-budget.js";
import {
  MalformedJson,
  closeBrace,
  closeBracket,
  firstAt,
  memberAt,
  nextAt,
  parseJson,
  scanValue,
  skipSpace,
  type Span,
} from "./scan.js";
import { Walker, walk } from "./walker.js";

/**
 * Reads request bodies. The records are found first and then parsed one by one; whatever is large is walked through
 * instead of parsed. So a body costs what it weighs, and the event loop gets its turns.
 */
export interface Batch {
  text: string;
  /** Spans of the records; none if there is no array (`array` then tells what there is instead) or too many. */
  items: Span[];
  submitted: number;
  array: "given" | "missing" | "wrong type";
  /** The exact text of the envelope's metadata. */
  metadata: string | undefined;
  metadataProblem: "wrong type" | "too deep" | undefined;
}

/** Bytes that are not UTF-8 would turn into U+FFFD, and two different keys into the same one. */
export function readText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new MalformedJson("The body is not valid UTF-8");
  return bytes.toString("utf8");
}

/** Everything but the records is checked here; they are checked when they are read. */
export async function readBatch(text: string, arrayName: string, maxItems: number): Promise<Batch> {
  const batch: Batch = {
    text,
    items: [],
    submitted: 0,
    array: "missing",
    metadata: undefined,
    metadataProblem: undefined,
  };
  const budget = new YieldBudget();
  let arrayAt: number | undefined;
  let end = skipSpace(text, 0);
  if (text[end] !== "{") throw new MalformedJson("The body must be an object");
  for (let at = firstAt(text, end, closeBrace); at !== -1; at = nextAt(text, end, closeBrace)) {
    const { name, valueAt } = memberAt(text, at);
    const value = name === arrayName ? await readItems(batch, valueAt, maxItems) : await check(text, valueAt);
    if (name === "metadata") readEnvelopeMetadata(batch, value);
    if (name === arrayName) {
      // A name that comes twice counts with its last value, as in JSON.parse. The first one is still to be JSON.
      if (arrayAt !== undefined) await check(text, arrayAt);
      arrayAt = valueAt;
    }
    end = skipSpace(text, value.end);
    if (budget.isSpent) await budget.giveWay();
  }
  expectEnd(text, text.indexOf("}", end) + 1);
  return batch;
}

async function readItems(batch: Batch, start: number, maxItems: number): Promise<Span> {
  const { text } = batch;
  batch.items = [];
  batch.submitted = 0;
  if (text[start] !== "[") {
    batch.array = text.startsWith("null", start) ? "missing" : "wrong type";
    return check(text, start);
  }
  batch.array = "given";
  const budget = new YieldBudget();
  let end = start;
  for (let at = firstAt(text, start, closeBracket); at !== -1; at = nextAt(text, end, closeBracket)) {
    // A batch that is too large is refused as a whole: its records are counted and checked, not kept.
    if (batch.submitted === maxItems) return countItems(batch, start);
    const item = scanValue(text, at);
    batch.items.push(item);
    batch.submitted += 1;
    end = skipSpace(text, item.end);
    if (budget.isSpent) await budget.giveWay();
  }
  return { start, end: text.indexOf("]", end) + 1, depth: 1 };
}

async function countItems(batch: Batch, start: number): Promise<Span> {
  batch.items = [];
  batch.submitted = 0;
  const walker = new Walker(batch.text, start, 1, (level) => {
    if (level === 1) batch.submitted += 1;
  });
  return { start, end: await walk(walker), depth: 1 };
}

/** A value that is kept as text, or not at all. */
async function check(text: string, start: number): Promise<Span> {
  let depth = 0;
  const walker = new Walker(text, start, 0, (_level, _start, _end, found) => {
    depth = found;
  });
  return { start, end: await walk(walker), depth };
}

function readEnvelopeMetadata(batch: Batch, value: Span): void {
  batch.metadata = undefined;
  batch.metadataProblem = undefined;
  if (batch.text.startsWith("null", value.start)) return;
  if (batch.text[value.start] !== "{") batch.metadataProblem = "wrong type";
  else if (value.depth > maxMetadataDepth) batch.metadataProblem = "too deep";
  else batch.metadata = batch.text.slice(value.start, value.end);
}

/**
 * A record up to this size is parsed at once, whatever its shape. Most are far smaller; and what is parsed takes up to
 * thirteen times the memory of its text, which a body full of larger records would multiply.
 */
const maxParsedLength = 4_096;
/** Metadata of a nested object starts at level 3, so that a record with nothing too deep in it ends at level 2 + 64. */
const maxParsedDepth = 2 + maxMetadataDepth;

export function isLarge(item: Span): boolean {
  return item.end - item.start > maxParsedLength || item.depth > maxParsedDepth;
}

/** One record of a batch that is not large. */
export function readItem(text: string, item: Span): JsonRecord {
  const source = text.slice(item.start, item.end);
  return new JsonRecord(parseJson(source), source, item.depth);
}

/** One record of a batch that is large. */
export async function readLargeItem(text: string, item: Span, names: WantedNames): Promise<JsonRecord> {
  const record = largeRecord(text, item, names);
  await walk(record.walker);
  return record.make();
}

/** A body that is one object, such as a lead. Of a large one, only the members with these names are built. */
export async function readObject(text: string, names: WantedNames): Promise<JsonRecord> {
  let body: Span = { start: 0, end: 0, depth: 0 };
  const walker = new Walker(text, 0, 0, (_level, start, end, depth) => {
    body = { start, end, depth };
  });
  await walk(walker);
  expectEnd(text, walker.at);
  return isLarge(body) ? readLargeItem(text, body, names) : readItem(text, body);
}

function expectEnd(text: string, at: number): void {
  if (skipSpace(text, at) !== text.length) throw new MalformedJson("Something follows the value");
}

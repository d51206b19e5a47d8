import { isUtf8 } from "node:buffer";
import { maxMetadataDepth } from "@gatehouse/contract";
import { JsonRecord } from "./json-record.js";
import {
  MalformedJson,
  parseJson,
  scanItems,
  scanMembers,
  scanValue,
  skipSpace,
  withoutDeepParts,
  type Span,
} from "./scan.js";

/**
 * Reads request bodies. The text is walked once before anything is built, so a body costs what it weighs: parts that
 * nest too deep are never parsed, and each record is parsed on its own, so that the event loop gets a turn between.
 */
export interface Batch {
  text: string;
  /** Spans of the records; undefined if there is no array (`array` then tells what there is instead). */
  items: Span[];
  submitted: number;
  array: "given" | "missing" | "wrong type";
  /** The exact text of the envelope's metadata. */
  metadata: string | undefined;
  metadataProblem: "wrong type" | "too deep" | undefined;
}

/**
 * Levels of a record that are parsed. Metadata of a nested object starts at level 3, so that it may end at level
 * 2 + 64; one level more is parsed to see that it is too deep.
 */
const maxRecordDepth = 2 + maxMetadataDepth + 1;
/** Parts that nobody looks at are checked for well-formedness up to this depth. */
const maxCheckedDepth = 1_000;

export function readBatch(bytes: Buffer, arrayName: string, maxItems: number): Batch {
  const text = decode(bytes);
  const batch: Batch = {
    text,
    items: [],
    submitted: 0,
    array: "missing",
    metadata: undefined,
    metadataProblem: undefined,
  };
  const start = skipSpace(text, 0);
  const end = scanMembers(text, start, (name, at) => {
    // A name that comes twice counts as its last value, as in JSON.parse.
    if (name === arrayName) return readItems(batch, at, maxItems);
    const value = scanValue(text, at);
    if (name === "metadata") readEnvelopeMetadata(batch, value);
    checkUnread(text, value);
    return value.end;
  });
  if (skipSpace(text, end) !== text.length) throw new MalformedJson("Something follows the object");
  return batch;
}

function readItems(batch: Batch, at: number, maxItems: number): number {
  batch.items = [];
  batch.submitted = 0;
  if (batch.text[at] !== "[") {
    const value = scanValue(batch.text, at);
    checkUnread(batch.text, value);
    batch.array = batch.text.startsWith("null", at) ? "missing" : "wrong type";
    return value.end;
  }
  batch.array = "given";
  let deepest = 0;
  const end = scanItems(batch.text, at, (item) => {
    batch.submitted += 1;
    deepest = Math.max(deepest, item.depth);
    // A batch that is too large is refused as a whole: its records are counted, not kept.
    if (batch.submitted <= maxItems) batch.items.push(item);
  });
  if (batch.submitted > maxItems) {
    batch.items = [];
    checkUnread(batch.text, { start: at, end, depth: deepest + 1 });
  }
  return end;
}

function readEnvelopeMetadata(batch: Batch, value: Span): void {
  batch.metadata = undefined;
  batch.metadataProblem = undefined;
  if (batch.text.startsWith("null", value.start)) return;
  if (batch.text[value.start] !== "{") batch.metadataProblem = "wrong type";
  else if (value.depth > maxMetadataDepth) batch.metadataProblem = "too deep";
  else batch.metadata = batch.text.slice(value.start, value.end);
}

function checkUnread(text: string, value: Span): void {
  if (value.depth <= maxCheckedDepth) parseJson(text.slice(value.start, value.end));
}

/** One record of a batch, with its parts beyond the depth limit cut off. */
export function readItem(text: string, item: Span): JsonRecord {
  const source =
    item.depth > maxRecordDepth
      ? withoutDeepParts(text, item, maxRecordDepth)
      : text.slice(item.start, item.end);
  return new JsonRecord(parseJson(source), source, item.depth);
}

/** A body that is one object, such as a lead. */
export function readObject(bytes: Buffer): JsonRecord {
  const text = decode(bytes);
  const value = scanValue(text, skipSpace(text, 0));
  if (skipSpace(text, value.end) !== text.length) throw new MalformedJson("Something follows the value");
  return readItem(text, value);
}

/** Bytes that are not UTF-8 would turn into U+FFFD, and two different keys into the same one. */
function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new MalformedJson("The body is not valid UTF-8");
  return bytes.toString("utf8");
}

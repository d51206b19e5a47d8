import { isAscii, isUtf8 } from "node:buffer";
import { maxMetadataDepth } from "@gatehouse-parking/contract";
import {
  MalformedJson,
  isLarge as isLargeRecord,
  readLargeRecord,
  readList,
  readRecord,
  readWhole,
  type JsonRecord,
  type Span,
  type WantedNames,
} from "@gatehouse-parking/json-text";
import { TimeSlice } from "../scheduling/time-slice.js";

/** The body of an import, located but not parsed. */
export interface Batch {
  text: string;
  /** Spans of the records; empty if there is no array or too many records. */
  items: Span[];
  submitted: number;
  array: "given" | "missing" | "wrong type";
  /** The exact text of the envelope's metadata. */
  metadata: string | undefined;
  metadataProblem: "wrong type" | "too deep" | undefined;
}

/** Rejects invalid UTF-8. Decoding it to U+FFFD could make two different keys equal. */
export function readText(bytes: Buffer): string {
  // Most bodies are ASCII, which is decoded five times faster than UTF-8.
  if (isAscii(bytes)) return bytes.toString("ascii");
  if (!isUtf8(bytes)) throw new MalformedJson("The body is not valid UTF-8");
  return bytes.toString("utf8");
}

/** Checks everything but the records, which are checked when they are read. */
export async function readBatch(text: string, arrayName: string, maxItems: number): Promise<Batch> {
  const { items, submitted, array, others } = await readList(text, {
    name: arrayName,
    maxItems,
    otherNames: ["metadata"],
    budget: new TimeSlice(),
  });
  return { text, items, submitted, array, ...envelopeMetadata(text, others.get("metadata")) };
}

function envelopeMetadata(text: string, span: Span | undefined): Pick<Batch, "metadata" | "metadataProblem"> {
  const none = { metadata: undefined, metadataProblem: undefined };
  if (span === undefined || text.startsWith("null", span.start)) return none;
  if (text[span.start] !== "{") return { ...none, metadataProblem: "wrong type" };
  if (span.depth > maxMetadataDepth) return { ...none, metadataProblem: "too deep" };
  return { ...none, metadata: text.slice(span.start, span.end) };
}

export function isLarge(item: Span): boolean {
  return isLargeRecord(item, maxMetadataDepth);
}

/** One record of a batch that is not large. */
export function readItem(text: string, item: Span): JsonRecord {
  return readRecord(text, item, maxMetadataDepth);
}

/** One record of a batch that is large. */
export function readLargeItem(text: string, item: Span, names: WantedNames): Promise<JsonRecord> {
  return readLargeRecord(text, item, { names, maxDepth: maxMetadataDepth, budget: new TimeSlice() });
}

/** A body that is one object, such as a lead. Of a large one, only the members with these names are built. */
export function readObject(text: string, names: WantedNames): Promise<JsonRecord> {
  return readWhole(text, { names, maxDepth: maxMetadataDepth, budget: new TimeSlice() });
}

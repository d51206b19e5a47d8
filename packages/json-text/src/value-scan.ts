import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  firstPrintable,
  openBrace,
  openBracket,
  quote,
} from "./characters.js";
import { MalformedJson, place } from "./malformed-json.js";

/**
 * Finds the end and the depth of a value. The scan can pause at any character and continue, in the same text or in its next
 * chunk. It checks only the structure; the reader of the value checks the rest.
 */
export interface ValueScan {
  /** Whether the end was found. */
  isDone: boolean;
  /** A scalar has depth 0, [] and {} have depth 1. */
  depth: number;
  readonly isWord: boolean;
  open: number;
  isInString: boolean;
  isEscaped: boolean;
}

export function beginScan(text: string, at: number): ValueScan {
  const first = text.charCodeAt(at);
  const isWord = first !== openBrace && first !== openBracket && first !== quote;
  if (isWord && (at >= text.length || isDelimiter(first)))
    throw new MalformedJson(`A value is expected ${place(text, at)}`);
  return { isDone: false, depth: 0, isWord, open: 0, isInString: false, isEscaped: false };
}

/** Continues from `at` to about `until`. Returns its position, which is after the value at the end. */
export function scanOn(scan: ValueScan, text: string, at: number, until: number = text.length): number {
  const end = until < text.length ? until : text.length;
  if (scan.isWord) return overWord(scan, text, at, end);
  if (!scan.isInString) return overContainer(scan, text, at, end);
  const next = restOfString(scan, text, at, end);
  if (scan.isInString) return next;
  if (scan.open > 0) return overContainer(scan, text, next, end);
  scan.isDone = true;
  return next;
}

/** Call this at the end of the text. It ends a number or word, and rejects an unfinished string or container. */
export function finishScan(scan: ValueScan): void {
  if (scan.isInString) throw new MalformedJson("A string does not end");
  if (!scan.isWord && !scan.isDone) throw new MalformedJson("An object or array does not end");
  scan.isDone = true;
}

function overWord(scan: ValueScan, text: string, at: number, until: number): number {
  while (at < until && !isDelimiter(text.charCodeAt(at))) at += 1;
  if (at < until) scan.isDone = true;
  return at;
}

function overContainer(scan: ValueScan, text: string, at: number, until: number): number {
  let { open, depth } = scan;
  while (at < until) {
    const code = text.charCodeAt(at);
    at += 1;
    if (code === quote) {
      at = overString(scan, text, at, until);
      if (scan.isInString) break;
      if (open === 0) scan.isDone = true;
    } else if (code === openBrace || code === openBracket) {
      open += 1;
      if (open > depth) depth = open;
    } else if (code === closeBrace || code === closeBracket) {
      open -= 1;
      if (open === 0) scan.isDone = true;
    }
    if (scan.isDone) break;
  }
  scan.open = open;
  scan.depth = depth;
  return at;
}

/** Skips a string whose content starts at `at`. */
function overString(scan: ValueScan, text: string, at: number, until: number): number {
  // Most strings have no escapes, and indexOf is faster than a loop.
  const end = text.indexOf('"', at);
  if (end !== -1 && text.charCodeAt(end - 1) !== backslash) return end + 1;
  scan.isInString = true;
  return restOfString(scan, text, at, until);
}

/** Linear even with millions of escapes. */
function restOfString(scan: ValueScan, text: string, at: number, until: number): number {
  if (scan.isEscaped && at < until) {
    scan.isEscaped = false;
    at += 1;
  }
  while (at < until) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      scan.isInString = false;
      return at + 1;
    }
    at += code === backslash ? 2 : 1;
  }
  scan.isEscaped = scan.isEscaped || at > until;
  return until;
}

function isDelimiter(code: number): boolean {
  return (
    code === comma || code === closeBrace || code === closeBracket || code === colon || code <= firstPrintable
  );
}

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
 * The search for the end of one value, and for how deep the value nests. It can stop at any character and go on later,
 * in the same text or in the next piece of it. Only the structure is looked at; what is inside is checked by whoever
 * reads the value.
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

/** Begins with the value that starts at `at`. */
export function beginScan(text: string, at: number): ValueScan {
  const first = text.charCodeAt(at);
  const isWord = first !== openBrace && first !== openBracket && first !== quote;
  if (isWord && (at >= text.length || isDelimiter(first)))
    throw new MalformedJson(`A value is expected ${place(text, at)}`);
  return { isDone: false, depth: 0, isWord, open: 0, isInString: false, isEscaped: false };
}

/** Goes on from `at`, up to about `until`. Returns where it stands: behind the value, once that is done. */
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

/** To be called where the text ends: a number or word ends there too, and anything else should have ended before. */
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

/** Over a string whose inside begins at `at`. */
function overString(scan: ValueScan, text: string, at: number, until: number): number {
  // Most strings hold no escapes, and this search is quicker than anything that looks at the characters here.
  const end = text.indexOf('"', at);
  if (end !== -1 && text.charCodeAt(end - 1) !== backslash) return end + 1;
  scan.isInString = true;
  return restOfString(scan, text, at, until);
}

/** There may be millions of escapes in it: one look at each is the least that tells where it ends. */
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

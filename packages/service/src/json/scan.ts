/**
 * Finds where things are in a JSON text without building them: the members of an object, the items of an array, and
 * how deep a value nests. It costs one pass over the characters, whatever their shape. It checks only the structure
 * it walks through; what it cuts out is checked by JSON.parse.
 */
export class MalformedJson extends Error {
  override name = "MalformedJson";
}

/** A value in the text: from `start` up to, not including, `end`. A scalar has depth 0, [] and {} have depth 1. */
export interface Span {
  start: number;
  end: number;
  depth: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

export function skipSpace(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

/** The position behind the string that starts at `at`. */
function skipString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  throw new MalformedJson("A string does not end");
}

/** The value that starts at `at`. */
export function scanValue(text: string, at: number): Span {
  const first = text.charCodeAt(at);
  if (first === openBrace || first === openBracket) return scanContainer(text, at);
  if (first === quote) return { start: at, end: skipString(text, at), depth: 0 };
  let end = at;
  while (end < text.length && !isDelimiter(text.charCodeAt(end))) end += 1;
  if (end === at) throw new MalformedJson("A value is missing");
  return { start: at, end, depth: 0 };
}

function isDelimiter(code: number): boolean {
  return code === comma || code === closeBrace || code === closeBracket || code === colon || code <= 0x20;
}

function scanContainer(text: string, start: number): Span {
  let depth = 0;
  let deepest = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = skipString(text, at) - 1;
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === closeBrace || code === closeBracket) {
      depth -= 1;
      if (depth === 0) return { start, end: at + 1, depth: deepest };
    }
  }
  throw new MalformedJson("An object or array does not end");
}

/** Calls `visit` for each member of the object that starts at `at`, and returns the position behind the object. */
export function scanMembers(
  text: string,
  at: number,
  visit: (name: string, valueAt: number) => number,
): number {
  if (text.charCodeAt(at) !== openBrace) throw new MalformedJson("An object is expected");
  at = skipSpace(text, at + 1);
  if (text.charCodeAt(at) === closeBrace) return at + 1;
  for (;;) {
    if (text.charCodeAt(at) !== quote) throw new MalformedJson("A member needs a name");
    const nameEnd = skipString(text, at);
    const name = parseJson(text.slice(at, nameEnd)) as string;
    at = skipSpace(text, nameEnd);
    if (text.charCodeAt(at) !== colon) throw new MalformedJson("A name needs a value");
    at = skipSpace(text, visit(name, skipSpace(text, at + 1)));
    const separator = text.charCodeAt(at);
    if (separator === closeBrace) return at + 1;
    if (separator !== comma) throw new MalformedJson("Members need a comma between them");
    at = skipSpace(text, at + 1);
  }
}

/** Calls `visit` for each item of the array that starts at `at`, and returns the position behind the array. */
export function scanItems(text: string, at: number, visit: (item: Span) => void): number {
  at = skipSpace(text, at + 1);
  if (text.charCodeAt(at) === closeBracket) return at + 1;
  for (;;) {
    const item = scanValue(text, at);
    visit(item);
    at = skipSpace(text, item.end);
    const separator = text.charCodeAt(at);
    if (separator === closeBracket) return at + 1;
    if (separator !== comma) throw new MalformedJson("Items need a comma between them");
    at = skipSpace(text, at + 1);
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedJson("The text is not JSON");
  }
}

/** A copy of a container in which every container deeper than `maxDepth` is an empty array. */
export function withoutDeepParts(text: string, span: Span, maxDepth: number): string {
  let copy = "";
  let depth = 0;
  let copied = span.start;
  for (let at = span.start; at < span.end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = skipString(text, at) - 1;
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth === maxDepth + 1) copy += `${text.slice(copied, at)}[]`;
    } else if (code === closeBrace || code === closeBracket) {
      if (depth === maxDepth + 1) copied = at + 1;
      depth -= 1;
    }
  }
  return copy + text.slice(copied, span.end);
}

/**
 * Finds where things are in a JSON text without building them: the members of an object, the items of an array, and
 * how deep a value nests. It costs one fast pass over the characters, whatever their shape. It checks only the
 * structure it walks through; what it finds is checked when it is read.
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
export const closeBrace = 0x7d;
const openBracket = 0x5b;
export const closeBracket = 0x5d;

export function skipSpace(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

/** The position behind the string that starts at `at`. */
function skipString(text: string, at: number): number {
  const end = text.indexOf('"', at + 1);
  if (end !== -1 && text.charCodeAt(end - 1) !== backslash) return end + 1;
  // There are escapes in it, maybe millions: one look at each character is the least that tells where it ends.
  for (let next = at + 1; next < text.length; next += 1) {
    const code = text.charCodeAt(next);
    if (code === quote) return next + 1;
    if (code === backslash) next += 1;
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
  if (end === at) throw new MalformedJson(`A value is expected ${place(text, at)}`);
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

/** The members of the object that starts at `at`. Of a name that comes twice the last value counts. */
export function scanMembers(text: string, at: number): Map<string, Span> {
  const members = new Map<string, Span>();
  for (at = firstAt(text, at, closeBrace); at !== -1;) {
    const { name, valueAt } = memberAt(text, at);
    const value = scanValue(text, valueAt);
    members.set(name, value);
    at = nextAt(text, skipSpace(text, value.end), closeBrace);
  }
  return members;
}

/** Where the first element of the container at `at` begins; -1 if it is empty. */
export function firstAt(text: string, at: number, close: number): number {
  const first = skipSpace(text, at + 1);
  return text.charCodeAt(first) === close ? -1 : first;
}

/** Where the element behind the separator at `at` begins; -1 if the container closes there. */
export function nextAt(text: string, at: number, close: number): number {
  const separator = text.charCodeAt(at);
  if (separator === comma) return skipSpace(text, at + 1);
  if (separator === close) return -1;
  throw new MalformedJson(`A comma or "${String.fromCodePoint(close)}" is expected ${place(text, at)}`);
}

/** The member whose name begins at `at`. */
export function memberAt(text: string, at: number): { name: string; valueAt: number } {
  if (text.charCodeAt(at) !== quote)
    throw new MalformedJson(`A name in double quotes is expected ${place(text, at)}`);
  const nameEnd = skipString(text, at);
  const colonAt = skipSpace(text, nameEnd);
  if (text.charCodeAt(colonAt) !== colon)
    throw new MalformedJson(`A colon is expected ${place(text, colonAt)}`);
  return { name: nameBetween(text, at, nameEnd), valueAt: skipSpace(text, colonAt + 1) };
}

/** What JSON does not allow in a string, or spells in another way. */
const notPlain = /[\\\u0000-\u001f]/;

function nameBetween(text: string, start: number, end: number): string {
  const spelled = text.slice(start + 1, end - 1);
  return notPlain.test(spelled) ? (parseJson(text.slice(start, end)) as string) : spelled;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedJson("The text is not JSON");
  }
}

export function place(text: string, at: number): string {
  return at >= text.length ? "at the end" : `at character ${at + 1}`;
}

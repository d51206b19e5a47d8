import { closeBrace, colon, comma, quote, skipSpace } from "./characters.js";
import { MalformedJson, parseJson, place } from "./malformed-json.js";
import { beginScan, finishScan, scanOn } from "./value-scan.js";

/** A value in the text: from `start` up to, not including, `end`. A scalar has depth 0, [] and {} have depth 1. */
export interface Span {
  start: number;
  end: number;
  depth: number;
}

/** The value that starts at `start`. */
export function scanValue(text: string, start: number): Span {
  const scan = beginScan(text, start);
  const end = scanOn(scan, text, start);
  if (!scan.isDone) finishScan(scan);
  return { start, end, depth: scan.depth };
}

export class TooManyMembers extends Error {
  override name = "TooManyMembers";
}

/** The members of the object that starts at `at`. The last value of a duplicate name counts. */
export function scanMembers(text: string, at: number, atMost = Number.POSITIVE_INFINITY): Map<string, Span> {
  const members = new Map<string, Span>();
  let next = skipSpace(text, at + 1);
  if (text.charCodeAt(next) === closeBrace) return members;
  for (let count = 1; ; count += 1) {
    if (count > atMost) throw new TooManyMembers(`The object has more than ${atMost} members`);
    expectName(text, next);
    const name = scanValue(text, next);
    const colonAt = skipSpace(text, name.end);
    expectColon(text, colonAt);
    const value = scanValue(text, skipSpace(text, colonAt + 1));
    members.set(nameIn(text, name), value);
    const separatorAt = skipSpace(text, value.end);
    if (!isFollowed(text, separatorAt, closeBrace)) return members;
    next = skipSpace(text, separatorAt + 1);
  }
}

export function expectName(text: string, at: number): void {
  if (text.charCodeAt(at) !== quote)
    throw new MalformedJson(`A name in double quotes is expected ${place(text, at)}`);
}

export function expectColon(text: string, at: number): void {
  if (text.charCodeAt(at) !== colon) throw new MalformedJson(`A colon is expected ${place(text, at)}`);
}

/** Whether the separator at `at` is a comma, which another element follows, or closes the container. */
export function isFollowed(text: string, at: number, close: number): boolean {
  const separator = text.charCodeAt(at);
  if (separator === comma) return true;
  if (separator === close) return false;
  throw new MalformedJson(`A comma or "${String.fromCodePoint(close)}" is expected ${place(text, at)}`);
}

/** Control characters and escapes. */
const notPlain = /[^\x20-\x5b\x5d-\uffff]/;

/** The decoded name. */
export function nameIn(text: string, { start, end }: Span): string {
  const spelled = text.slice(start + 1, end - 1);
  return notPlain.test(spelled) ? (parseJson(text.slice(start, end)) as string) : spelled;
}

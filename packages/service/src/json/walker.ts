import { setImmediate } from "node:timers/promises";
import { MalformedJson, place, skipSpace } from "./scan.js";

/**
 * Told of every value in the outer levels of a text when it ends. The text itself is level 0, what it contains level
 * 1, and so on. The name of a member stands between `nameStart` and `nameEnd`, without its quotes; an array's item
 * has none (-1). A scalar has depth 0, [] and {} have depth 1.
 */
export type Visit = (
  level: number,
  start: number,
  end: number,
  depth: number,
  nameStart: number,
  nameEnd: number,
) => void;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const minus = 0x2d;
const plus = 0x2b;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const isArray = 0;
const isObject = 1;

/**
 * Walks over one JSON value and refuses whatever JSON.parse would refuse, but builds nothing and recurses nowhere, so
 * that any text costs what it weighs: JSON.parse takes most of a second for some bodies of 5 MB. It can stop between
 * any two tokens and go on later.
 */
export class Walker {
  readonly #text: string;
  readonly #visit: Visit;
  /** Levels deeper than this are checked, but nobody is told of them. */
  readonly #watched: number;
  #at: number;
  #expected: "value" | "separator" | "end" = "value";
  /** The containers that are open, outermost first: objects or arrays. */
  #kinds = new Uint8Array(64);
  #open = 0;
  /** The most containers that were open at once within the innermost watched value. */
  #peak = 0;
  readonly #starts: number[] = [];
  readonly #names: [number, number][] = [];
  readonly #outerPeaks: number[] = [];

  constructor(text: string, start: number, watchedLevels: number, visit: Visit) {
    this.#text = text;
    this.#at = skipSpace(text, start);
    this.#watched = watchedLevels;
    this.#visit = visit;
    for (let level = 0; level <= watchedLevels; level += 1) this.#names.push([-1, -1]);
  }

  /** Where the walker stands: behind the value, once that has ended. */
  get at(): number {
    return this.#at;
  }

  /** Walks on over about so many characters. True when the value has ended. */
  advance(characters: number): boolean {
    const pause = this.#at + characters;
    while (this.#at < pause && this.#expected !== "end") {
      if (this.#expected === "value") this.#walkValue();
      else this.#walkSeparator();
    }
    return this.#expected === "end";
  }

  /** Over a scalar, or into a container. */
  #walkValue(): void {
    const text = this.#text;
    const at = this.#at;
    if (this.#open <= this.#watched) this.#begin();
    const first = text.charCodeAt(at);
    if (first === openBrace) this.#enter(isObject, closeBrace);
    else if (first === openBracket) this.#enter(isArray, closeBracket);
    else {
      if (first === quote) this.#at = endOfString(text, at + 1);
      else if (first === minus || (first >= zero && first <= nine)) this.#at = endOfNumber(text, at);
      else this.#at = endOfWord(text, at);
      this.#finish();
    }
  }

  /** Over the comma behind a value to the next one, or out of the container that ends there. */
  #walkSeparator(): void {
    const text = this.#text;
    const at = skipSpace(text, this.#at);
    const inObject = this.#kinds[this.#open - 1] === isObject;
    const separator = text.charCodeAt(at);
    if (separator === comma) {
      this.#at = skipSpace(text, at + 1);
      if (inObject) this.#walkName();
      this.#expected = "value";
    } else if (separator === (inObject ? closeBrace : closeBracket)) this.#leave(at);
    else {
      const expected = inObject ? 'A comma or "}"' : 'A comma or "]"';
      throw new MalformedJson(`${expected} is expected ${place(text, at)}`);
    }
  }

  #walkName(): void {
    const text = this.#text;
    const start = this.#at;
    if (text.charCodeAt(start) !== quote)
      throw new MalformedJson(`A name in double quotes is expected ${place(text, start)}`);
    const end = endOfString(text, start + 1);
    if (this.#open <= this.#watched) this.#names[this.#open] = [start + 1, end - 1];
    const colonAt = skipSpace(text, end);
    if (text.charCodeAt(colonAt) !== colon)
      throw new MalformedJson(`A colon is expected ${place(text, colonAt)}`);
    this.#at = skipSpace(text, colonAt + 1);
  }

  #enter(kind: number, close: number): void {
    if (this.#open === this.#kinds.length) {
      const larger = new Uint8Array(this.#kinds.length * 2);
      larger.set(this.#kinds);
      this.#kinds = larger;
    }
    this.#kinds[this.#open] = kind;
    this.#open += 1;
    if (this.#open > this.#peak) this.#peak = this.#open;
    if (kind === isArray && this.#open <= this.#watched) this.#names[this.#open] = [-1, -1];
    this.#at = skipSpace(this.#text, this.#at + 1);
    if (this.#text.charCodeAt(this.#at) === close) this.#leave(this.#at);
    else if (kind === isObject) this.#walkName();
  }

  #leave(at: number): void {
    this.#open -= 1;
    this.#at = at + 1;
    this.#finish();
  }

  #begin(): void {
    this.#starts[this.#open] = this.#at;
    this.#outerPeaks[this.#open] = this.#peak;
    this.#peak = this.#open;
  }

  #finish(): void {
    const level = this.#open;
    this.#expected = level === 0 ? "end" : "separator";
    if (level > this.#watched) return;
    const depth = this.#peak - level;
    this.#peak = Math.max(this.#peak, this.#outerPeaks[level] as number);
    const [nameStart, nameEnd] = this.#names[level] as [number, number];
    this.#visit(level, this.#starts[level] as number, this.#at, depth, nameStart, nameEnd);
  }
}

/** Characters between two turns of the event loop: a few milliseconds' worth. */
const turnCharacters = 131_072;

/** Walks to the end of the value, with turns for the event loop, and returns the position behind it. */
export async function walk(walker: Walker): Promise<number> {
  while (!walker.advance(turnCharacters)) await setImmediate();
  return walker.at;
}

const shortEscapes = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));
const letterU = 0x75;
const firstPrintable = 0x20;

/** The position behind the string whose text begins at `at`. */
function endOfString(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === backslash) at = endOfEscape(text, at + 1);
    else if (code >= firstPrintable) at += 1;
    else if (at < text.length)
      throw new MalformedJson(`A control character stands in a string ${place(text, at)}`);
    else throw new MalformedJson("The text ends within a string");
  }
}

function endOfEscape(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (shortEscapes.has(code)) return at + 1;
  if (code !== letterU) throw new MalformedJson(`An escape is not valid ${place(text, at)}`);
  for (let digit = at + 1; digit <= at + 4; digit += 1) {
    if (!isHexDigit(text.charCodeAt(digit)))
      throw new MalformedJson(`An escape is not valid ${place(text, at)}`);
  }
  return at + 5;
}

function isHexDigit(code: number): boolean {
  return (code >= zero && code <= nine) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

function endOfNumber(text: string, at: number): number {
  if (text.charCodeAt(at) === minus) at += 1;
  at = text.charCodeAt(at) === zero ? at + 1 : endOfDigits(text, at);
  if (text.charCodeAt(at) === point) at = endOfDigits(text, at + 1);
  if ((text.charCodeAt(at) | 0x20) === 0x65) {
    const sign = text.charCodeAt(at + 1);
    at = endOfDigits(text, sign === plus || sign === minus ? at + 2 : at + 1);
  }
  return at;
}

function endOfDigits(text: string, start: number): number {
  let at = start;
  for (let code = text.charCodeAt(at); code >= zero && code <= nine; code = text.charCodeAt(at)) at += 1;
  if (at === start) throw new MalformedJson(`A digit is expected ${place(text, at)}`);
  return at;
}

function endOfWord(text: string, at: number): number {
  for (const word of ["true", "false", "null"]) if (text.startsWith(word, at)) return at + word.length;
  throw new MalformedJson(`A value is expected ${place(text, at)}`);
}

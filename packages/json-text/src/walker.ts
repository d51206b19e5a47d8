import {
  backslash,
  closeBrace,
  closeBracket,
  firstPrintable,
  isSpaceAt,
  minus,
  openBrace,
  openBracket,
  point,
  quote,
  skipSpace,
  zero,
} from "./characters.js";
import { MalformedJson, place } from "./malformed-json.js";
import { expectColon, expectName, isFollowed } from "./scan.js";
import { endOfEscape, endOfWord, exponentAt, isDigit } from "./tokens.js";

/**
 * Called at the end of every value in the outer levels. The text itself is level 0, its members are level 1, and so on.
 * `nameStart` and `nameEnd` delimit the name of a member without quotes; -1 for the items of an array. A scalar has depth
 * 0, [] and {} have depth 1.
 */
export type Visit = (
  level: number,
  start: number,
  end: number,
  depth: number,
  nameStart: number,
  nameEnd: number,
) => void;

const isArray = 0;
const isObject = 1;

// The expected token, as numbers for speed.
const nothing = 0;
const value = 1;
const firstOfObject = 2;
const firstOfArray = 3;
const name = 4;
const colon = 5;
const separator = 6;
const restOfString = 7;
const wholeDigits = 8;
const fractionDigits = 9;
const exponentDigits = 10;

/** After so many characters of a string, a regular expression is several times faster than a loop. */
const searchedBehind = 32;
/** Ends a string, or must be escaped in it. */
// oxlint-disable-next-line no-control-regex
const noPlainCharacter = /["\\\u0000-\u001f]/;

/** The position of the first such character at or after `at`, at most `until`. */
function skipPlain(text: string, at: number, until: number): number {
  const found = text.slice(at, until).search(noPlainCharacter);
  return found === -1 ? until : at + found;
}

/**
 * Walks over one JSON value and rejects what JSON.parse rejects. It builds nothing and does not recurse, so its time depends
 * only on the length of the text; JSON.parse takes most of a second for some bodies of 5 MB. It can pause at any character.
 */
export class Walker {
  readonly #text: string;
  readonly #visit: Visit;
  /** `visit` is not called for deeper levels. */
  readonly #watched: number;
  #at: number;
  #pause = 0;
  #expected = value;
  #isName = false;
  #stringStart = 0;
  /** The kinds of the open containers, outermost first. */
  #kinds = new Uint8Array(64);
  #open = 0;
  /** The maximum of open containers within the innermost watched value. */
  #peak = 0;
  readonly #starts: number[] = [];
  readonly #names: [number, number][] = [];
  readonly #outerPeaks: number[] = [];

  constructor(text: string, start: number, watchedLevels: number, visit: Visit) {
    this.#text = text;
    this.#at = start;
    this.#watched = watchedLevels;
    this.#visit = visit;
    for (let level = 0; level <= watchedLevels; level += 1) this.#names.push([-1, -1]);
  }

  /** The current position; at the end, the position after the value. */
  get at(): number {
    return this.#at;
  }

  /** Continues over about so many characters. Returns whether the value has ended. */
  advance(characters: number): boolean {
    this.#pause = Math.min(this.#at + characters, this.#text.length);
    do this.#step();
    while (this.#at < this.#pause && this.#expected !== nothing);
    return this.#expected === nothing;
  }

  #step(): void {
    const text = this.#text;
    if (this.#expected === restOfString) return this.#walkString();
    if (this.#expected >= wholeDigits) return this.#walkDigits();
    if (isSpaceAt(text, this.#at)) {
      this.#at = skipSpace(text, this.#at, this.#pause);
      if (this.#at === this.#pause && this.#pause < text.length) return;
    }
    switch (this.#expected) {
      case value:
        return this.#walkValue();
      case separator:
        return this.#walkSeparator();
      case firstOfObject:
        return text.charCodeAt(this.#at) === closeBrace ? this.#leave() : this.#walkName();
      case firstOfArray:
        return text.charCodeAt(this.#at) === closeBracket ? this.#leave() : this.#walkValue();
      case name:
        return this.#walkName();
      case colon:
        return this.#walkColon();
    }
  }

  /** Begins a scalar or enters a container. */
  #walkValue(): void {
    const text = this.#text;
    if (this.#open <= this.#watched) this.#begin();
    const first = text.charCodeAt(this.#at);
    if (first === openBrace) this.#enter(isObject);
    else if (first === openBracket) this.#enter(isArray);
    else if (first === quote) this.#enterString(false);
    else if (first === minus || isDigit(first)) this.#enterNumber();
    else {
      this.#at = endOfWord(text, this.#at);
      this.#finish();
    }
  }

  /** Skips the comma after a value, or leaves the container. */
  #walkSeparator(): void {
    const inObject = this.#kinds[this.#open - 1] === isObject;
    if (!isFollowed(this.#text, this.#at, inObject ? closeBrace : closeBracket)) return this.#leave();
    this.#at += 1;
    this.#expected = inObject ? name : value;
    // Most texts have no space here, so this saves a step.
    if (inObject && this.#text.charCodeAt(this.#at) === quote) this.#enterString(true);
  }

  #walkName(): void {
    expectName(this.#text, this.#at);
    this.#enterString(true);
  }

  #walkColon(): void {
    expectColon(this.#text, this.#at);
    this.#at += 1;
    this.#expected = value;
  }

  #enterString(isName: boolean): void {
    this.#isName = isName;
    this.#at += 1;
    this.#stringStart = this.#at;
    this.#expected = restOfString;
    this.#walkString();
  }

  #walkString(): void {
    const text = this.#text;
    const pause = this.#pause;
    let at = this.#at;
    let isLongFrom = at + searchedBehind;
    while (at < pause) {
      if (at >= isLongFrom) {
        at = skipPlain(text, at, pause);
        if (at === pause) break;
      }
      const code = text.charCodeAt(at);
      if (code === quote) return this.#leaveString(at);
      if (code === backslash) {
        at = endOfEscape(text, at + 1);
        isLongFrom = at + searchedBehind;
      } else if (code >= firstPrintable) at += 1;
      else throw new MalformedJson(`A control character in a string must be escaped ${place(text, at)}`);
    }
    if (at >= text.length) throw new MalformedJson("The text ends within a string");
    this.#at = at;
  }

  #leaveString(end: number): void {
    this.#at = end + 1;
    if (!this.#isName) return this.#finish();
    if (this.#open <= this.#watched) this.#names[this.#open] = [this.#stringStart, end];
    if (isSpaceAt(this.#text, this.#at)) this.#expected = colon;
    else this.#walkColon();
  }

  #enterNumber(): void {
    if (this.#text.charCodeAt(this.#at) === minus) this.#at += 1;
    if (this.#text.charCodeAt(this.#at) !== zero) return this.#enterDigits(this.#at, wholeDigits);
    // Only a decimal point or an exponent can follow a leading zero.
    this.#at += 1;
    this.#leaveDigits(wholeDigits);
  }

  #enterDigits(at: number, which: number): void {
    if (!isDigit(this.#text.charCodeAt(at)))
      throw new MalformedJson(`A digit is expected ${place(this.#text, at)}`);
    this.#at = at;
    this.#expected = which;
    this.#walkDigits();
  }

  #walkDigits(): void {
    const text = this.#text;
    let at = this.#at;
    while (at < this.#pause && isDigit(text.charCodeAt(at))) at += 1;
    this.#at = at;
    if (at < this.#pause || at === text.length) this.#leaveDigits(this.#expected);
  }

  #leaveDigits(which: number): void {
    const text = this.#text;
    if (which === wholeDigits && text.charCodeAt(this.#at) === point)
      return this.#enterDigits(this.#at + 1, fractionDigits);
    const exponent = which === exponentDigits ? undefined : exponentAt(text, this.#at);
    if (exponent === undefined) this.#finish();
    else this.#enterDigits(exponent, exponentDigits);
  }

  #enter(kind: number): void {
    if (this.#open === this.#kinds.length) {
      const larger = new Uint8Array(this.#kinds.length * 2);
      larger.set(this.#kinds);
      this.#kinds = larger;
    }
    this.#kinds[this.#open] = kind;
    this.#open += 1;
    if (this.#open > this.#peak) this.#peak = this.#open;
    if (kind === isArray && this.#open <= this.#watched) this.#names[this.#open] = [-1, -1];
    this.#at += 1;
    this.#expected = kind === isObject ? firstOfObject : firstOfArray;
  }

  #leave(): void {
    this.#open -= 1;
    this.#at += 1;
    this.#finish();
  }

  #begin(): void {
    this.#starts[this.#open] = this.#at;
    this.#outerPeaks[this.#open] = this.#peak;
    this.#peak = this.#open;
  }

  #finish(): void {
    const level = this.#open;
    this.#expected = level === 0 ? nothing : separator;
    if (level > this.#watched) return;
    const depth = this.#peak - level;
    this.#peak = Math.max(this.#peak, this.#outerPeaks[level] as number);
    const [nameStart, nameEnd] = this.#names[level] as [number, number];
    this.#visit(level, this.#starts[level] as number, this.#at, depth, nameStart, nameEnd);
  }
}

import {
  beginScan,
  finishScan,
  MalformedJson,
  scanOn,
  skipSpace,
  type ValueScan,
} from "@gatehouse-parking/json-text";
import { checkJsonYielding } from "./json-check.js";
import { inputError } from "./refusals.js";
import type { ReadScheduler } from "./scheduler.js";
import { maxRowBytes } from "./table.js";
import { newlinesIn } from "./text.js";

/** Scans text that arrives in pieces. */
export class PieceReader {
  line = 1;
  readonly #pieces: AsyncIterator<string>;
  readonly #scheduler: ReadScheduler;
  #piece = "";
  #at = 0;

  constructor(pieces: AsyncIterable<string>, scheduler: ReadScheduler) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#scheduler = scheduler;
  }

  /** The text ahead, at least `length` characters if the text has so many. */
  async textAhead(length: number): Promise<string> {
    const pieces = [this.#piece.slice(this.#at)];
    let total = pieces[0]?.length ?? 0;
    while (total < length && (await this.#load())) {
      pieces.push(this.#piece);
      total += this.#piece.length;
    }
    this.#piece = pieces.join("");
    this.#at = 0;
    return this.#piece;
  }

  /** Skips the current character. */
  next(): void {
    this.#at += 1;
  }

  /** The next character that is not white space, without consuming it; undefined at the end. */
  async skipSpace(): Promise<number | undefined> {
    for (;;) {
      this.#stepTo(skipSpace(this.#piece, this.#at));
      if (this.#at < this.#piece.length) return this.#piece.charCodeAt(this.#at);
      if (!(await this.#load())) return undefined;
    }
  }

  /** Consumes a value and checks that it is valid JSON. */
  async takeValidValue(): Promise<string> {
    const startLine = this.line;
    return checkJsonYielding(await this.takeValue(), startLine, this.#scheduler);
  }

  /** Consumes a value without checking it. */
  async takeValue(): Promise<string> {
    const startLine = this.line;
    const scan = valueAt(this.#piece, this.#at);
    if (scan === undefined) return "";
    for (let taken = ""; ;) {
      const end = scanOn(scan, this.#piece, this.#at);
      taken += this.#piece.slice(this.#at, end);
      this.#stepTo(end);
      if (taken.length > maxRowBytes) throw inputError(startLine, "rowTooLarge", { maxBytes: maxRowBytes });
      if (scan.isDone) return taken;
      if (await this.#load()) continue;
      if (!endsHere(scan)) throw inputError(startLine, "jsonOpen");
      return taken;
    }
  }

  #stepTo(position: number): void {
    this.line += newlinesIn(this.#piece.slice(this.#at, position));
    this.#at = position;
  }

  async #load(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#pieces.next();
      if (done) return false;
      this.#piece = value;
      this.#at = 0;
      if (value.length > 0) return true;
    }
  }
}

function valueAt(text: string, at: number): ValueScan | undefined {
  try {
    return beginScan(text, at);
  } catch (error) {
    if (error instanceof MalformedJson) return undefined;
    throw error;
  }
}

/** Whether a value may end at the end of the file. */
function endsHere(scan: ValueScan): boolean {
  try {
    finishScan(scan);
    return true;
  } catch (error) {
    if (error instanceof MalformedJson) return false;
    throw error;
  }
}

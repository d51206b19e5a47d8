import { CopyRows, roomFor } from "./copy-rows.js";

/** PostgreSQL's text format for COPY: one line per row, tabs between values, \N for null. */
export type CopyValue = string;

export const copyNull: CopyValue = "\\N";
const special = /[\\\t\n\r]/;

export function copyText(text: string): CopyValue {
  if (!special.test(text)) return text;
  if (text.length > maxReplacedLength) return escapeBytes(text);
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll("\t", "\\t")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
}

/** Longer texts may be full of special characters; for these, replaceAll would take most of a second. */
const maxReplacedLength = 65_536;
const backslash = 0x5c;
/** The character after the backslash, by the byte that is escaped. */
const escapeLetters = new Uint8Array(256);
for (const [character, letter] of ["\\\\", "\tt", "\nn", "\rr"]) {
  escapeLetters[(character as string).charCodeAt(0)] = (letter as string).charCodeAt(0);
}

function escapeBytes(text: string): CopyValue {
  const bytes = Buffer.from(text);
  const escaped = Buffer.allocUnsafe(bytes.length * 2);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    const letter = escapeLetters[byte] as number;
    if (letter !== 0) escaped[length++] = backslash;
    escaped[length++] = letter === 0 ? byte : letter;
  }
  return escaped.toString("utf8", 0, length);
}

/** Bytes in hex. */
export function copyHex(hex: string): CopyValue {
  return `\\\\x${hex}`;
}

const yearOne = Date.parse("0001-01-01T00:00:00Z");

/** PostgreSQL writes the year before year 1 as 1 BC and has no year 0. */
export function sqlTimestamp(moment: number): CopyValue {
  const text = new Date(moment).toISOString();
  return moment >= yearOne ? text : `${beforeChrist(text)} BC`;
}

function beforeChrist(iso: string): string {
  const [, year = "0", rest = ""] = /^(-?\d+)(-\d\d-\d\d.*)$/.exec(iso) ?? [];
  return `${String(1 - Number(year)).padStart(4, "0")}${rest}`;
}

/**
 * Builds one line value by value. It is reused for every row: an import writes thousands, and growing a new array for
 * each row costs more than joining it.
 */
export class CopyLine {
  readonly #values: CopyValue[];
  #added = 0;

  constructor(columns: number) {
    this.#values = Array.from({ length: columns }, () => copyNull);
  }

  begin(): this {
    this.#added = 0;
    return this;
  }

  add(value: CopyValue): void {
    this.#values[this.#added] = value;
    this.#added += 1;
  }

  end(): string {
    if (this.#added !== this.#values.length)
      throw new Error("A line has as many values as its table columns");
    return this.#values.join("\t");
  }
}

const newline = 0x0a;

/** The rows of a COPY, one line each. */
export class TextRows extends CopyRows {
  readonly format = "text";
  protected readonly ending = [];

  add(line: string): void {
    // A long line is measured exactly. Reserving the maximum would take three times as much memory.
    this.reserve(roomFor(line) + 1);
    this.used += this.message.write(line, this.used);
    this.message[this.used] = newline;
    this.used += 1;
    this.count += 1;
  }
}

export function textRows(lines: Iterable<string>): TextRows {
  const rows = new TextRows();
  for (const line of lines) rows.add(line);
  return rows;
}

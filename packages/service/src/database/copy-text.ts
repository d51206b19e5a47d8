import type { Statement } from "./exchange.js";

/** PostgreSQL's text format for COPY: one line a row, tabs between values, \N for null. */
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

/** Beyond this, a text may be full of special characters, and then replaceAll takes most of a second. */
const maxReplacedLength = 65_536;
const backslash = 0x5c;
/** By the byte that is escaped: what follows the backslash. */
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

/** Bytes, given in hex. */
export function copyHex(hex: string): CopyValue {
  return `\\\\x${hex}`;
}

const yearOne = Date.parse("0001-01-01T00:00:00Z");

/** PostgreSQL counts the year before year 1 as 1 BC and knows no year 0. */
export function sqlTimestamp(moment: number): CopyValue {
  const text = new Date(moment).toISOString();
  return moment >= yearOne ? text : `${beforeChrist(text)} BC`;
}

const dayMs = 86_400_000;
const maxCachedDates = 10_000;
const dates = new Map<number, CopyValue>();

/** The records of a batch share a few dates, so each is formatted once. */
export function sqlDate(moment: number): CopyValue {
  const day = Math.floor(moment / dayMs);
  let date = dates.get(day);
  if (date === undefined) {
    // The last evening of year 9999 is the first morning of year 10000 further east: "+010000-01-01".
    const text = (new Date(moment).toISOString().split("T")[0] as string).replace(/^\+0*/, "");
    date = moment >= yearOne ? text : `${beforeChrist(text)} BC`;
    if (dates.size >= maxCachedDates) dates.clear();
    dates.set(day, date);
  }
  return date;
}

function beforeChrist(iso: string): string {
  const [, year = "0", rest = ""] = /^(-?\d+)(-\d\d-\d\d.*)$/.exec(iso) ?? [];
  return `${String(1 - Number(year)).padStart(4, "0")}${rest}`;
}

/**
 * A line while it is put together, value by value. It has the width of its table and is used for one row after the
 * other: an import makes thousands, and a list that grows anew for each costs more than the joining.
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

/** Rows go out in messages of about this size. */
const messageBytes = 65_536;
/** Of UTF-8, for each unit of a string. */
const maxBytesPerCharacter = 3;
const newline = 0x0a;
/** A letter and the length of what follows. */
const headBytes = 5;
const copyDone = Buffer.from([0x63, 0, 0, 0, 4]);

/**
 * The rows of a COPY, as they go over the wire. An import spends most of its time waiting for the database; lines that
 * wait as strings are copied by every collection of garbage meanwhile, and these bytes lie outside of its reach.
 */
export class CopyRows {
  readonly #full: Buffer[] = [];
  #message = Buffer.alloc(0);
  #used = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** How much text they are. */
  get bytes(): number {
    const full = this.#full.reduce((sum, message) => sum + message.length - headBytes, 0);
    return this.#count === 0 ? 0 : full + this.#used - headBytes;
  }

  add(line: string): void {
    this.#makeRoom(line);
    this.#used += this.#message.write(line, this.#used);
    this.#message[this.#used] = newline;
    this.#used += 1;
    this.#count += 1;
  }

  /** All rows, and that there are no more. */
  *messages(): Generator<Buffer> {
    yield* this.#full;
    if (this.#count > 0) yield withHead(this.#message, this.#used);
    yield copyDone;
  }

  #makeRoom(line: string): void {
    const most = line.length * maxBytesPerCharacter + 1;
    if (this.#used + most <= this.#message.length) return;
    if (this.#count > 0) this.#full.push(withHead(this.#message, this.#used));
    // A line of megabytes is measured: room for the most that it could take would be three times as much.
    const isLarge = headBytes + most > messageBytes;
    const size = isLarge ? headBytes + Buffer.byteLength(line) + 1 : messageBytes;
    this.#message = Buffer.allocUnsafeSlow(size);
    this.#used = headBytes;
  }
}

export function copyRows(lines: Iterable<string>): CopyRows {
  const rows = new CopyRows();
  for (const line of lines) rows.add(line);
  return rows;
}

function withHead(message: Buffer, length: number): Buffer {
  message.write("d");
  message.writeUInt32BE(length - 1, 1);
  return message.subarray(0, length);
}

/** Puts the rows into the table. */
export function copyInto(table: string, columns: readonly string[], rows: CopyRows): Statement {
  return {
    text: `copy ${table} (${columns.join(", ")}) from stdin`,
    rows,
    take: ({ rowCount }) => {
      if (rowCount !== rows.count)
        throw new Error(`COPY into ${table} stored ${rowCount} of ${rows.count} rows`);
    },
  };
}

import { CopyRows, roomFor } from "./copy-rows.js";

/** Signature, flags, and the length of the header extension, which is 0. */
const fileHead = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
/** The message that ends the data: -1 instead of a number of columns. */
const fileEnd = Buffer.from([0x64, 0, 0, 0, 6, 0xff, 0xff]);
const nullLength = -1;

const millisecondsPerDay = 86_400_000;
/** PostgreSQL's epoch for dates and timestamps. */
const year2000 = Date.UTC(2000, 0, 1);
const two32 = 2 ** 32;

/** The value of a hexadecimal digit by character code; negative for other characters. */
const hexValues = new Int8Array(128).fill(-1);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  hexValues[digit.charCodeAt(0)] = value;
  hexValues[digit.toUpperCase().charCodeAt(0)] = value;
}

/** For longer texts, calling Buffer is faster than writing the bytes in JavaScript. */
const maxWrittenLength = 40;
const pastAscii = 0x80;
const asciiBits = 0x7f;

/**
 * The rows of a COPY in PostgreSQL's binary format. The server stores numbers, timestamps and identifiers directly
 * instead of parsing text (docs/decisions/0008). A value must have exactly the type of its column. Others are rejected
 * here, because the server could not detect them.
 */
export class BinaryRows extends CopyRows {
  readonly format = "binary";
  protected readonly ending = [fileEnd];
  readonly #columns: number;
  #missing = 0;

  /** `columns`: the number of values per row. */
  constructor(columns: number) {
    super();
    this.#columns = columns;
  }

  /** An encoded value, for values that repeat in many rows. */
  static encoded(add: (rows: BinaryRows) => void): Buffer {
    const rows = new BinaryRows(1);
    rows.begin();
    const start = rows.used;
    add(rows);
    return rows.message.subarray(start, rows.used);
  }

  begin(): void {
    if (this.message.length === 0) {
      this.reserve(fileHead.length);
      this.used += fileHead.copy(this.message, this.used);
    }
    this.reserve(2);
    this.#int16(this.#columns);
    this.#missing = this.#columns;
  }

  end(): void {
    if (this.#missing !== 0) throw new Error("A row has as many values as its table columns");
    this.count += 1;
  }

  addNull(): void {
    this.#begin(nullLength, 0);
  }

  addTextOrNull(text: string | null | undefined): void {
    if (text === null || text === undefined) this.addNull();
    else this.addText(text);
  }

  addUuidOrNull(uuid: string | null | undefined): void {
    if (uuid === null || uuid === undefined) this.addNull();
    else this.addUuid(uuid);
  }

  /** Also for json columns. */
  addText(text: string): void {
    const room = roomFor(text);
    this.#begin(0, room);
    const start = this.used;
    if (!this.#writeAscii(text)) this.used = start + this.message.write(text, start);
    this.#setLength(start);
  }

  addUuid(uuid: string): void {
    this.#begin(16, 16);
    this.#hex(uuid, 0, 8);
    this.#hex(uuid, 9, 13);
    this.#hex(uuid, 14, 18);
    this.#hex(uuid, 19, 23);
    this.#hex(uuid, 24, 36);
  }

  /** A value from `encoded`. */
  addEncoded(value: Buffer): void {
    this.#beginValue(value.length);
    const { message, used } = this;
    for (let at = 0; at < value.length; at += 1) message[used + at] = value[at] as number;
    this.used = used + value.length;
  }

  addBytes(hex: string): void {
    this.#begin(hex.length / 2, hex.length / 2);
    this.#hex(hex, 0, hex.length);
  }

  addFlag(value: boolean): void {
    this.#begin(1, 1);
    this.message[this.used] = value ? 1 : 0;
    this.used += 1;
  }

  addSmallint(value: number): void {
    if (value !== (value << 16) >> 16) throw new RangeError("Not a smallint");
    this.#begin(2, 2);
    this.#int16(value);
  }

  addInteger(value: number): void {
    if (value !== (value | 0)) throw new RangeError("Not an integer");
    this.#begin(4, 4);
    this.#int32(value);
  }

  /** The UTC date of this timestamp. */
  addDate(moment: number): void {
    this.addInteger(Math.floor((moment - year2000) / millisecondsPerDay));
  }

  /** In microseconds, which exceed the safe integers of JavaScript. */
  addTimestamp(moment: number): void {
    if (!Number.isInteger(moment)) throw new RangeError("Not a timestamp");
    this.#begin(8, 8);
    const milliseconds = moment - year2000;
    const high = Math.floor(milliseconds / two32);
    const rest = (milliseconds - high * two32) * 1000;
    const carried = Math.floor(rest / two32);
    this.#int32(high * 1000 + carried);
    this.#int32(rest - carried * two32);
  }

  /** `spelling`: as in JSON. Decimal places are kept, including trailing zeros. */
  addNumeric(spelling: string): void {
    const plain = /[eE]/.test(spelling) ? withoutExponent(spelling) : spelling;
    if (!plainShape.test(plain)) throw new RangeError("Not a number");
    const isNegative = plain.charCodeAt(0) === minus;
    const first = isNegative ? 1 : 0;
    const point = plain.indexOf(".");
    const wholeEnd = point === -1 ? plain.length : point;
    const places = point === -1 ? 0 : plain.length - point - 1;
    const wholeGroups = Math.ceil((wholeEnd - first) / digitsPerGroup);
    const fractionGroups = Math.ceil(places / digitsPerGroup);
    this.#begin(0, numericHeadBytes + 2 * (wholeGroups + fractionGroups));
    const start = this.used;
    this.used += numericHeadBytes;
    let weight = wholeGroups - 1;
    let kept = 0;
    let written = 0;
    for (let group = 0; group < wholeGroups + fractionGroups; group += 1) {
      const at =
        group < wholeGroups
          ? wholeEnd - (wholeGroups - group) * digitsPerGroup
          : wholeEnd + 1 + (group - wholeGroups) * digitsPerGroup;
      const value = readGroup(plain, at, group < wholeGroups ? first : at);
      if (value === 0 && written === 0) {
        weight -= 1;
        continue;
      }
      this.#int16(value);
      written += 1;
      if (value !== 0) kept = written;
    }
    this.used = start;
    this.#int16(kept);
    this.#int16(kept === 0 ? 0 : weight);
    this.#int16(isNegative && kept > 0 ? negativeSign : 0);
    this.#int16(places);
    this.used += 2 * kept;
    this.#setLength(start);
  }

  /** Writes the length of a value, which can be changed later, and reserves space for the value. */
  #begin(length: number, room: number): void {
    this.#beginValue(4 + room);
    this.#int32(length);
  }

  #beginValue(room: number): void {
    if (this.#missing === 0) throw new Error("A row has as many values as its table columns");
    this.#missing -= 1;
    this.reserve(room);
  }

  #setLength(start: number): void {
    const end = this.used;
    this.used = start - 4;
    this.#int32(end - start);
    this.used = end;
  }

  /** False: the text is too long or not only ASCII. */
  #writeAscii(text: string): boolean {
    if (text.length > maxWrittenLength) return false;
    const { message } = this;
    let { used } = this;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code >= pastAscii) return false;
      message[used] = code;
      used += 1;
    }
    this.used = used;
    return true;
  }

  #hex(text: string, start: number, end: number): void {
    const { message } = this;
    let { used } = this;
    let codes = 0;
    let values = 0;
    for (let at = start; at < end; at += 2) {
      const code = text.charCodeAt(at);
      const nextCode = text.charCodeAt(at + 1);
      const value =
        ((hexValues[code & asciiBits] as number) << 4) | (hexValues[nextCode & asciiBits] as number);
      // Invalid digits are detected at the end from the combined bits.
      codes |= code | nextCode;
      values |= value;
      message[used] = value;
      used += 1;
    }
    if (codes >= pastAscii || values < 0) throw new RangeError("Not hexadecimal digits");
    this.used = used;
  }

  #int16(value: number): void {
    const { message, used } = this;
    message[used] = value >> 8;
    message[used + 1] = value;
    this.used = used + 2;
  }

  #int32(value: number): void {
    const { message, used } = this;
    message[used] = value >> 24;
    message[used + 1] = value >> 16;
    message[used + 2] = value >> 8;
    message[used + 3] = value;
    this.used = used + 4;
  }
}

/** PostgreSQL stores a numeric as base-10,000 digits on either side of the decimal point. */
const digitsPerGroup = 4;
/** Number of digits, weight of the first, sign, decimal places. */
const numericHeadBytes = 8;
const negativeSign = 0x4000;
const plainShape = /^-?\d+(?:\.\d+)?$/;
const minus = 0x2d;
const zero = 0x30;

/** The four digits at `at`. Positions before `from` and after the end count as zeros. */
function readGroup(text: string, at: number, from: number): number {
  let value = 0;
  for (let index = at; index < at + digitsPerGroup; index += 1) {
    const isGiven = index >= from && index < text.length;
    value = value * 10 + (isGiven ? text.charCodeAt(index) - zero : 0);
  }
  return value;
}

function withoutExponent(spelling: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/.exec(spelling) ?? [];
  const places = fraction.length - Number(exponent);
  if (places <= 0) return `${sign}${whole}${fraction}${"0".repeat(-places)}`;
  const digits = `${whole}${fraction}`.padStart(places + 1, "0");
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

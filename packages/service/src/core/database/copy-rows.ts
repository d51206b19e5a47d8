import type { Statement } from "./pipeline.js";

/** The approximate maximum size of a message. */
const messageBytes = 65_536;
/** The first message is small, because many batches are. Each further one is twice as large. */
const firstMessageBytes = 2_048;
/** A type byte and the length. */
const headBytes = 5;
const copyDone = Buffer.from([0x63, 0, 0, 0, 4]);

/**
 * The rows of a COPY as wire bytes. An import mostly waits for the database, and garbage collection would copy strings
 * meanwhile. Buffers are outside the heap.
 */
export abstract class CopyRows {
  abstract readonly format: "text" | "binary";
  /** The bytes after the last row. */
  protected abstract readonly ending: readonly Buffer[];
  count = 0;
  /** The current message, filled up to `used`. */
  protected message = Buffer.alloc(0);
  protected used = headBytes;
  readonly #full: Buffer[] = [];

  /** The size of all rows so far. */
  get bytes(): number {
    return this.#full.reduce((sum, { length }) => sum + length - headBytes, this.used - headBytes);
  }

  /** All rows, and the message that ends them. */
  *messages(): Generator<Buffer> {
    yield* this.#full;
    if (this.used > headBytes) yield withHead(this.message, this.used);
    yield* this.ending;
    yield copyDone;
  }

  /** Makes room in the message for this many more bytes. */
  protected reserve(bytes: number): void {
    if (this.used + bytes <= this.message.length) return;
    if (this.used > headBytes) this.#full.push(withHead(this.message, this.used));
    const usual = Math.min(messageBytes, Math.max(firstMessageBytes, this.message.length * 2));
    this.message = Buffer.allocUnsafeSlow(Math.max(usual, headBytes + bytes));
    this.used = headBytes;
  }
}

/** The maximum UTF-8 bytes per code unit of a string. */
const maxBytesPerCharacter = 3;
/** Above this length, counting the bytes is cheaper than reserving too much memory. */
const countedFrom = 1_024;

/** The bytes to reserve for a text: the maximum, or the exact number if the text is long. */
export function roomFor(text: string): number {
  return text.length < countedFrom ? text.length * maxBytesPerCharacter : Buffer.byteLength(text);
}

function withHead(message: Buffer, length: number): Buffer {
  message.write("d");
  message.writeUInt32BE(length - 1, 1);
  return message.subarray(0, length);
}

/** Inserts the rows into the table. */
export function copyInto(table: string, columns: readonly string[], rows: CopyRows): Statement {
  return {
    text: `copy ${table} (${columns.join(", ")}) from stdin (format ${rows.format})`,
    rows,
    take: ({ rowCount }) => {
      if (rowCount !== rows.count)
        throw new Error(`COPY into ${table} stored ${rowCount} of ${rows.count} rows`);
    },
  };
}

import { createReadStream } from "node:fs";
import { invalidInput } from "../../../core/refusals/user-error.js";

export interface Line {
  /** The line number, counted from 1. */
  number: number;
  /** The line without its newline. */
  bytes: Buffer;
  /** The offset of the next line. */
  end: number;
}

/** Far more than a request may have, because one line holds a stored record with the differences of its resends. */
export const maxLineBytes = 64 * 1024 * 1024;
const pieceBytes = 256 * 1024;
const newline = 0x0a;

/** Reads the lines of a file in groups. A last line without a newline was truncated and is not returned. */
export async function* readLines(path: string): AsyncGenerator<Line[]> {
  let number = 0;
  let end = 0;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>) {
    const lines: Line[] = [];
    let start = 0;
    for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, start)) {
      const last = piece.subarray(start, at);
      const bytes = begunBytes === 0 ? last : Buffer.concat([...begun, last]);
      begun = [];
      begunBytes = 0;
      number += 1;
      end += bytes.length + 1;
      lines.push({ number, bytes, end });
      start = at + 1;
    }
    begun.push(piece.subarray(start));
    begunBytes += piece.length - start;
    if (begunBytes > maxLineBytes)
      throw invalidInput(`Line ${number + 1} has more than ${maxLineBytes} bytes, which is too long`);
    if (lines.length > 0) yield lines;
  }
}

import { InputError } from "../table.js";
import { turnOfTheLoop } from "../turn-of-the-loop.js";

/** A file inside a ZIP archive. */
interface Entry {
  offset: number;
  packedBytes: number;
  checksum: number;
  isStored: boolean;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const maxCommentBytes = 65_535;
const maxEntries = 10_000;
/** Names of parts are held in memory. ZIP allows 64 KB each, and a file of nothing but such names would take as much as it has. */
export const maxNameBytes = 1_024;
/** What is unpacked of an archive, all reading together. Parts are read as they are unpacked, so this bounds time and not memory. */
const maxUnpackedBytes = 1024 ** 3;
/** What comes at once of a part that is not packed. */
export const sliceBytes = 64 * 1024;

/** A ZIP archive that is held in memory; its parts are unpacked as they are read. */
export class Zip {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #entries = new Map<string, Entry>();
  readonly #signal: AbortSignal | undefined;
  #unpackedBytes = 0;

  constructor(bytes: Uint8Array, signal?: AbortSignal) {
    this.#bytes = bytes;
    this.#signal = signal;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    try {
      this.#readDirectory();
    } catch (error) {
      // A position outside of the file: it was cut, or is none.
      throw error instanceof RangeError ? damaged() : error;
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The content of a part, in small pieces; its checksum is looked at when it has come to its end. */
  async *read(name: string, maxBytes = maxUnpackedBytes): AsyncGenerator<Uint8Array> {
    const entry = this.#entries.get(name);
    if (!entry) throw damaged();
    const packed = this.#packedBytes(entry);
    let bytes = 0;
    let checksum = 0xffffffff;
    for await (const piece of entry.isStored ? slices(packed) : inflate(packed)) {
      this.#signal?.throwIfAborted();
      bytes += piece.length;
      if (bytes > maxBytes)
        throw new InputError(1, `the spreadsheet holds too much in ${name}; save the sheet as CSV`);
      this.#unpackedBytes += piece.length;
      if (this.#unpackedBytes > maxUnpackedBytes)
        throw new InputError(1, "the spreadsheet unpacks to more than 1 GB; save it as CSV");
      checksum = updateChecksum(checksum, piece);
      yield piece;
    }
    if ((checksum ^ 0xffffffff) >>> 0 !== entry.checksum) throw damaged();
  }

  #readDirectory(): void {
    const end = this.#findEnd();
    const count = this.#view.getUint16(end + 10, true);
    let at = this.#view.getUint32(end + 16, true);
    if (count > maxEntries) throw damaged();
    for (let index = 0; index < count; index += 1) {
      if (this.#view.getUint32(at, true) !== entrySignature) throw damaged();
      const flags = this.#view.getUint16(at + 8, true);
      const method = this.#view.getUint16(at + 10, true);
      const nameBytes = this.#view.getUint16(at + 28, true);
      const isNamed = nameBytes <= maxNameBytes;
      const name = isNamed
        ? new TextDecoder().decode(this.#bytes.subarray(at + 46, at + 46 + nameBytes))
        : "";
      const isReadable = isNamed && (flags & 1) === 0 && (method === 0 || method === 8);
      if (isReadable && !this.#entries.has(name))
        this.#entries.set(name, {
          offset: this.#view.getUint32(at + 42, true),
          packedBytes: this.#view.getUint32(at + 20, true),
          checksum: this.#view.getUint32(at + 16, true),
          isStored: method === 0,
        });
      at += 46 + nameBytes + this.#view.getUint16(at + 30, true) + this.#view.getUint16(at + 32, true);
    }
  }

  #findEnd(): number {
    const last = this.#bytes.length - endBytes;
    for (let at = last; at >= Math.max(0, last - maxCommentBytes); at -= 1) {
      if (this.#view.getUint32(at, true) === endSignature) return at;
    }
    throw damaged();
  }

  #packedBytes({ offset, packedBytes }: Entry): Uint8Array {
    if (offset + 30 > this.#bytes.length || this.#view.getUint32(offset, true) !== localSignature)
      throw damaged();
    const start =
      offset + 30 + this.#view.getUint16(offset + 26, true) + this.#view.getUint16(offset + 28, true);
    if (start + packedBytes > this.#bytes.length) throw damaged();
    return this.#bytes.subarray(start, start + packedBytes);
  }
}

export function damaged(): InputError {
  return new InputError(1, "the spreadsheet is damaged; save it anew, or save the sheet as CSV");
}

/** Unpacking waits for every piece; where nothing is unpacked, others get their turn all the same. */
async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    yield bytes.subarray(at, at + sliceBytes);
    await turnOfTheLoop();
  }
}

async function* inflate(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  const source = new Blob([packed as Uint8Array<ArrayBuffer>]).stream();
  const reader = source.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw damaged();
      });
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

const checksumTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function updateChecksum(checksum: number, bytes: Uint8Array): number {
  let value = checksum;
  for (const byte of bytes) value = (checksumTable[(value ^ byte) & 0xff] as number) ^ (value >>> 8);
  return value;
}

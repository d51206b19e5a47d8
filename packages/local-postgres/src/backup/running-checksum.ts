import { createHash } from "node:crypto";
import type { Checksum } from "./manifest.js";

/** One sum over the names, modes, sizes and contents of all entries, in their order; it needs no list of them. */
export function startChecksum() {
  const hash = createHash("sha256");
  let entries = 0;
  let bytes = 0;
  return {
    begin(name: string, mode: number, size: number): void {
      entries += 1;
      hash.update(`${JSON.stringify([name, mode, size])}\n`);
    },
    add(chunk: Uint8Array): void {
      bytes += chunk.byteLength;
      hash.update(chunk);
    },
    end: (): Checksum => ({ entries, bytes, sha256: hash.digest("hex") }),
  };
}

import { randomFillSync } from "node:crypto";

/**
 * Time-ordered identifiers (UUIDv7): rows that are made together lie together in every index. An import makes
 * thousands at once, so random bytes are drawn in large pools; one at a time they cost more than the rest of the row.
 */
const poolSize = 4_096;
const bytesPerId = 8;
const pool = Buffer.alloc(poolSize);
let used = poolSize;
let lastMs = 0;
let sequence = 0;

export function uuidv7(): string {
  if (used + bytesPerId > poolSize) {
    randomFillSync(pool);
    used = 0;
  }
  const now = Date.now();
  // Within a millisecond, and when the clock is set back, 12 bits count up, so that ids never go backwards.
  if (now > lastMs) {
    lastMs = now;
    sequence = 0;
  } else if (++sequence > 0xfff) {
    lastMs += 1;
    sequence = 0;
  }
  const time = lastMs.toString(16).padStart(12, "0");
  const random = pool.toString("hex", used, used + bytesPerId);
  used += bytesPerId;
  const variant = (0x8 | (Number.parseInt(random[0] as string, 16) & 0x3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, "0")}-${variant}${random.slice(1, 4)}-${random.slice(4)}`;
}

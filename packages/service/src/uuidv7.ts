import { randomFillSync } from "node:crypto";

/**
 * Time-ordered identifiers (UUIDv7): rows that are made together lie together in every index. An import makes
 * thousands at once, so random bytes are drawn in large pools and turned into hex together; one at a time they cost
 * more than the rest of the row.
 */
const poolBytes = 8_192;
const hexDigitsPerId = 16;
const pool = Buffer.alloc(poolBytes);
let randomHex = "";
let used = 0;

let lastMs = 0;
let sequence = 0;
let timeHex = "";

const variants = ["8", "9", "a", "b"] as const;

export function uuidv7(): string {
  advance();
  if (used + hexDigitsPerId > randomHex.length) {
    randomHex = randomFillSync(pool).toString("hex");
    used = 0;
  }
  const at = used;
  used += hexDigitsPerId;
  const variant = variants[randomHex.charCodeAt(at) & 3] as string;
  const count = (0x7000 | sequence).toString(16);
  return `${timeHex}-${count}-${variant}${randomHex.slice(at + 1, at + 4)}-${randomHex.slice(at + 4, at + 16)}`;
}

/** Within a millisecond, and when the clock is set back, 12 bits count up, so that ids never go backwards. */
function advance(): void {
  const now = Date.now();
  if (now <= lastMs && sequence < 0xfff) {
    sequence += 1;
    return;
  }
  lastMs = Math.max(now, lastMs + 1);
  sequence = 0;
  const hex = lastMs.toString(16).padStart(12, "0");
  timeHex = `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

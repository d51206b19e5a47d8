import { randomFillSync } from "node:crypto";
import { nowMs } from "./clock.js";

/** Sorts before every identifier. */
export const lowestUuid = "00000000-0000-0000-0000-000000000000";

/**
 * Time-ordered identifiers (UUIDv7): rows that are created together are adjacent in every index. An import creates
 * thousands at once, so random bytes are drawn in large pools. One by one they would cost more than the rest of the row.
 */
const poolBytes = 8_192;
const hexDigitsPerId = 16;
const pool = Buffer.alloc(poolBytes);
let randomHex = "";
let used = 0;

let lastMs = 0;
let sequence = 0;
let timeHex = "";
/** The monotonic time since which the ids are ahead of the clock. */
let aheadSince: number | undefined;
/** Far longer than any import takes. */
export const longestAheadMs = 60_000;

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

/**
 * Within a millisecond 12 bits count up. They also count up when the clock is set back, so that the ids of an import never
 * go backwards, but not for longer than an import takes. Otherwise a clock that was hours ahead for a moment would move
 * all later ids into the future until the next start. The random bits keep ids unique.
 */
function advance(): void {
  const now = nowMs();
  if (now > lastMs) return beginAt(now);
  if (now < lastMs) {
    aheadSince ??= performance.now();
    if (performance.now() - aheadSince > longestAheadMs) return beginAt(now);
  }
  if (sequence < 0xfff) sequence += 1;
  else moveTo(lastMs + 1);
}

function beginAt(now: number): void {
  aheadSince = undefined;
  moveTo(now);
}

function moveTo(ms: number): void {
  lastMs = ms;
  sequence = 0;
  const hex = ms.toString(16).padStart(12, "0");
  timeHex = `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

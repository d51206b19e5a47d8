import { expect } from "vitest";
import type { Rig } from "../../../testing/rig.js";
import { InputError } from "../src/refusals.js";

/** Processor time is compared between inputs that differ in size by this factor. */
const growth = 4;
/** Twice the time of linear growth and half the time of quadratic growth. */
const maxRatio = 2 * growth;
/**
 * The processor also does other work, so the best of several runs counts. Quadratic growth shows in each run.
 */
const tries = 10;

interface Measured {
  bytes: number;
  seconds: number;
}

export interface Case {
  name: string;
  baseBytes: number;
  run(size: number, pieceBytes: number): Promise<Measured>;
}

/** The processor time of reading. Input that cannot be read must be rejected with a message. */
export async function timeOf(
  bytes: number,
  read: () => Promise<void>,
  Refusal: new (...given: never[]) => Error = InputError,
): Promise<Measured> {
  const before = process.cpuUsage();
  await read().catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
  const { user, system } = process.cpuUsage(before);
  return { bytes, seconds: (user + system) / 1e6 };
}

interface Grown {
  ratio: number;
  microsecondsPerKilobyte: number;
}

async function grown({ run, baseBytes }: Case, pieceBytes: number): Promise<Grown> {
  await run(baseBytes, pieceBytes);
  let best: Grown = { ratio: Number.POSITIVE_INFINITY, microsecondsPerKilobyte: 0 };
  for (let attempt = 0; attempt < tries && best.ratio >= maxRatio; attempt += 1) {
    const small = await run(baseBytes, pieceBytes);
    const large = await run(baseBytes * growth, pieceBytes);
    // Below a millisecond, the clock itself dominates.
    const ratio = large.seconds / Math.max(small.seconds, 0.001);
    const microsecondsPerKilobyte = (large.seconds * 1e6) / (large.bytes / 1024);
    if (ratio < best.ratio) best = { ratio, microsecondsPerKilobyte };
  }
  return best;
}

/** Passes if every case takes linear time, and prints the measurements. */
export async function isLinear(rig: Rig, cases: readonly Case[], pieceBytes: number): Promise<void> {
  const slow: string[] = [];
  const figures: Record<string, string> = {};
  for (const each of rig.random.shuffled(cases)) {
    const { ratio, microsecondsPerKilobyte } = await grown(each, pieceBytes);
    if (ratio >= maxRatio) slow.push(`${each.name}: ${ratio.toFixed(1)} times the time`);
    figures[each.name] =
      `${microsecondsPerKilobyte.toFixed(1)} µs/kB, ${ratio.toFixed(1)} times for ${growth} times the bytes`;
  }
  expect(slow, `with ${growth} times as many bytes, in pieces of ${pieceBytes}`).toEqual([]);
  rig.held({
    "kinds of files": cases.length,
    "bytes a piece": pieceBytes,
    ...figures,
  });
}

import { skipSpace } from "./characters.js";
import type { Span } from "./scan.js";
import { beginScan, finishScan, scanOn } from "./value-scan.js";
import { Walker, type Visit } from "./walker.js";

/** Limits how long work blocks the event loop. */
export interface Budget {
  readonly isSpent: boolean;
  giveWay(): Promise<void>;
}

/** Work that can pause at each `yield`, at least once every `lookCharacters`. */
export type Steps<Result> = Generator<void, Result, void>;

/** Characters between two checks of the budget: a fraction of a millisecond. */
export const lookCharacters = 65_536;

/** Does the work, and yields to the event loop between two steps if the budget is spent. */
export async function doInTurns<Result>(steps: Steps<Result>, budget: Budget): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (budget.isSpent) await budget.giveWay();
  }
}

/** The position of the first character at or after `at` that is not white space. */
export function* skipSpaceInSteps(text: string, at: number): Steps<number> {
  for (;;) {
    const until = Math.min(at + lookCharacters, text.length);
    at = skipSpace(text, at, until);
    if (at < until || until === text.length) return at;
    yield;
  }
}

/** The value that starts at `start`. Checks only its structure. */
export function* scanInSteps(text: string, start: number): Steps<Span> {
  const scan = beginScan(text, start);
  let end = scanOn(scan, text, start, start + lookCharacters);
  while (!scan.isDone && end < text.length) {
    yield;
    end = scanOn(scan, text, end, end + lookCharacters);
  }
  if (!scan.isDone) finishScan(scan);
  return { start, end, depth: scan.depth };
}

/** The same without a pause; undefined if the value is longer than `lookCharacters`. */
export function scanShort(text: string, start: number): Span | undefined {
  const scan = beginScan(text, start);
  const end = scanOn(scan, text, start, start + lookCharacters);
  return scan.isDone ? { start, end, depth: scan.depth } : undefined;
}

/** The value that starts at `start`, fully checked. */
export function* checkInSteps(text: string, start: number): Steps<Span> {
  let depth = 0;
  const end = yield* walkInSteps(text, start, 0, (_level, _start, _end, found) => {
    depth = found;
  });
  return { start, end, depth };
}

/** The same, and calls `visit` for the values in the outer levels. Returns the end of the value. */
export function* walkInSteps(
  text: string,
  start: number,
  watchedLevels: number,
  visit: Visit,
): Steps<number> {
  const walker = new Walker(text, start, watchedLevels, visit);
  while (!walker.advance(lookCharacters)) yield;
  return walker.at;
}

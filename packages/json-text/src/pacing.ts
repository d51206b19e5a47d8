import { skipSpace } from "./characters.js";
import type { Span } from "./scan.js";
import { beginScan, finishScan, scanOn } from "./value-scan.js";
import { Walker, type Visit } from "./walker.js";

/** Says when a long piece of work has had its share of the event loop, and lets the others have theirs. */
export interface Budget {
  readonly isSpent: boolean;
  giveWay(): Promise<void>;
}

/** Work that can stop at each `yield`, which comes at least once in so many characters. */
export type Steps<Result> = Generator<void, Result, void>;

/** Characters between two looks at the budget: a fraction of a millisecond's worth. */
export const lookCharacters = 65_536;

/** Does the work, and gives way between two steps whenever the budget is spent. */
export async function doInTurns<Result>(steps: Steps<Result>, budget: Budget): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (budget.isSpent) await budget.giveWay();
  }
}

/** The position of the first character from `at` on that is no white space. */
export function* skipSpaceInSteps(text: string, at: number): Steps<number> {
  for (;;) {
    const until = Math.min(at + lookCharacters, text.length);
    at = skipSpace(text, at, until);
    if (at < until || until === text.length) return at;
    yield;
  }
}

/** The value that starts at `start`; checked only as far as its structure goes. */
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

/** The same at once, for a value that ends before the next look at the budget is due; undefined for a longer one. */
export function scanShort(text: string, start: number): Span | undefined {
  const scan = beginScan(text, start);
  const end = scanOn(scan, text, start, start + lookCharacters);
  return scan.isDone ? { start, end, depth: scan.depth } : undefined;
}

/** The value that starts at `start`, checked in every detail. */
export function* checkInSteps(text: string, start: number): Steps<Span> {
  let depth = 0;
  const end = yield* walkInSteps(text, start, 0, (_level, _start, _end, found) => {
    depth = found;
  });
  return { start, end, depth };
}

/** The same, for those who want to be told of the values in the outer levels. Returns the position behind it. */
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

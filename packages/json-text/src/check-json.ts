import { MalformedJson } from "./malformed-json.js";
import { checkInSteps, doInTurns, skipSpaceInSteps, type Budget, type Steps } from "./pacing.js";
import { expectEndInSteps } from "./read-record.js";

/** Rejects what JSON.parse rejects, but builds nothing, so the time depends only on the length of the text. */
export function checkJson(text: string): void {
  const steps = checkWholeInSteps(text);
  while (!steps.next().done);
}

/** The same without blocking the event loop. */
export function checkJsonInTurns(text: string, budget: Budget): Promise<void> {
  return doInTurns(checkWholeInSteps(text), budget);
}

export function isJson(text: string): boolean {
  try {
    checkJson(text);
    return true;
  } catch (error) {
    if (error instanceof MalformedJson) return false;
    throw error;
  }
}

function* checkWholeInSteps(text: string): Steps<void> {
  const { end } = yield* checkInSteps(text, yield* skipSpaceInSteps(text, 0));
  yield* expectEndInSteps(text, end);
}

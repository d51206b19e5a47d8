// Runs inside the tests' process: says which mutant is tried, and in the first round what the tests reach. It is copied
// beside the tests; see try.js.
import { appendFileSync } from "node:fs";
import { afterAll, beforeEach, onTestFailed } from "vitest";

const heartbeatMs = 5_000;
const state = (globalThis.mutantState ??= {
  tried: Number(process.env.MUTANT ?? 0),
  reached: new Set(),
  killed: new Set(),
});
globalThis.isMutant = (number) => {
  if (state.tried === 0) state.reached.add(number);
  return state.tried === number;
};

export function tell(fact) {
  appendFileSync(String(process.env.MUTANT_RESULTS), `${JSON.stringify(fact)}\n`);
}

// A process that says nothing any more is in a loop without end, and is ended.
if (!state.heart) tell({ worker: process.pid });
state.heart ??= setInterval(() => tell({}), heartbeatMs).unref();

/** A test file without any mutant: how long it takes, and what it reaches, apart from what only loading it reaches. */
export async function withoutMutant(file, load) {
  const begunMs = performance.now();
  let onLoad = [];
  afterAll(() => {
    tell({ file, ms: Math.round(performance.now() - begunMs), reached: [...state.reached], onLoad });
    state.reached.clear();
  });
  await load();
  onLoad = [...state.reached];
  state.reached.clear();
}

/** Whether the test file is needed for the mutant, which from here on is the one that is tried. */
export function withMutant(number, file) {
  if (state.killed.has(number)) return false;
  state.tried = number;
  tell({ begun: number, file });
  beforeEach(({ skip }) => {
    // One failure is enough.
    if (state.killed.has(number)) skip();
    onTestFailed(() => void state.killed.add(number));
  });
  return true;
}

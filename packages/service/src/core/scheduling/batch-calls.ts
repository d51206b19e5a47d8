import { noTracer, type Tracer } from "../telemetry/tracer.js";

const maxBatchSize = 100;

interface WaitingCall<Input, Result> {
  input: Input;
  /** Bound to the caller's trace. */
  runBatch: (inputs: Input[]) => Promise<Result[]>;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches concurrent calls into one round trip (like DataLoader). One batch runs at a time, and calls that arrive
 * meanwhile form the next one. So an idle service does not wait for company, and a busy one makes few round trips.
 *
 * `runBatch` returns the results in the order of the inputs. If it fails, every call of the batch fails.
 */
export function batchCalls<Input, Result>(
  runBatch: (inputs: Input[]) => Promise<Result[]>,
  tracer: Tracer = noTracer,
): (input: Input) => Promise<Result> {
  const waiting: WaitingCall<Input, Result>[] = [];
  let isRunning = false;

  async function runUntilEmpty(): Promise<void> {
    while (waiting.length > 0) {
      // Calls of the same turn of the event loop join the batch.
      await new Promise(setImmediate);
      const batch = waiting.splice(0, maxBatchSize);
      try {
        // The shared statement appears in the trace of the first caller.
        const [first] = batch as [WaitingCall<Input, Result>];
        const results = await first.runBatch(batch.map(({ input }) => input));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, runBatch: tracer.bind(runBatch), resolve, reject });
      if (isRunning) return;
      isRunning = true;
      void runUntilEmpty();
    });
}

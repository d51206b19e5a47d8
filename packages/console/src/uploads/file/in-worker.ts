import type { Inspection, InspectOrder } from "./inspect.js";

type Answer = { inspection: Inspection } | { problem: string };

/** Throws an Error whose message says why the file is none that can be uploaded. */
export function inspectInWorker(order: InspectOrder, signal: AbortSignal): Promise<Inspection> {
  const worker = new Worker(new URL("worker.ts", import.meta.url), { type: "module" });
  const answered = new Promise<Inspection>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      if ("inspection" in data) resolve(data.inspection);
      else reject(new Error(data.problem));
    });
    worker.addEventListener("error", () => reject(new Error("The program that reads files did not start.")));
    signal.addEventListener("abort", () => reject(signal.reason as Error));
    // A worker has no origin to name.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(order);
  });
  return answered.finally(() => worker.terminate());
}

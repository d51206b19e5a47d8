import { type InspectRequest, inspect } from "./inspect-file.js";

/** What the worker tells the page. Only the last message has no progress. */
export type WorkerMessage =
  | { progress: number }
  | { inspection: Awaited<ReturnType<typeof inspect>> }
  | { problem: string };

// Messages of a worker reach only the page that started it.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const post = (message: WorkerMessage) => self.postMessage(message);

/** Few enough to cost nothing. */
const progressSteps = 100;

/** A worker, so that large files do not block the page. */
self.addEventListener("message", async ({ data }: MessageEvent<InspectRequest>) => {
  let shown = 0;
  const onProgress = (done: number) => {
    const step = Math.floor(done * progressSteps);
    if (step === shown) return;
    shown = step;
    post({ progress: step / progressSteps });
  };
  await inspect(data, onProgress).then(
    (inspection) => post({ inspection }),
    (error: unknown) => post({ problem: error instanceof Error ? error.message : String(error) }),
  );
});

import { inspect, type InspectOrder } from "./inspect.js";

/** Large files are looked at beside the page, so that it stays at hand. */
self.addEventListener("message", async ({ data }: MessageEvent<InspectOrder>) => {
  const answer = await inspect(data).then(
    (inspection) => ({ inspection }),
    (error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }),
  );
  // A worker answers its page and nobody else.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  self.postMessage(answer);
});

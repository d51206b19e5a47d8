import { type InspectRequest, inspect } from "./inspect-file.js";

/** A worker, so that large files do not block the page. */
self.addEventListener("message", async ({ data }: MessageEvent<InspectRequest>) => {
  const answer = await inspect(data).then(
    (inspection) => ({ inspection }),
    (error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }),
  );
  // Messages of a worker reach only the page that started it.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  self.postMessage(answer);
});

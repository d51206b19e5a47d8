import { setTimeout as sleep } from "node:timers/promises";

const pollIntervalMs = 15;

/** Asks until the answer is yes or the time is up, and says which of the two it was. Throws when the signal aborts. */
export async function pollUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() >= deadline) return false;
    await sleep(pollIntervalMs, undefined, { ...(signal && { signal }) });
  }
  return true;
}

import { setTimeout as sleep } from "node:timers/promises";
import { attach } from "./attach.js";
import type { Cluster } from "./cluster.js";
import type { StartOptions } from "./start-postmaster.js";
import type { Usage } from "./usage.js";

const firstDelayMs = 50;
export const longestDelayMs = 15_000;
/** A server that has run this long is healthy again: the next crash is met without delay. */
const healthyAfterMs = 60_000;

export interface SupervisionOptions extends StartOptions {
  log: (message: string) => void;
  warn: (message: string) => void;
  /** Waits between two attempts. */
  pause?: ((delayMs: number, signal: AbortSignal) => Promise<unknown>) | undefined;
}

/**
 * Brings the server up again when it dies, on the same port, so that the pools that point there heal by themselves.
 * The loss of our own connection is the sign; the server may also have come back by itself or by another process.
 * It is tried for ever, since what keeps a server down, such as a full disk, may be mended without a word to us.
 */
export function supervise(cluster: Cluster, first: Usage, options: SupervisionOptions) {
  const ending = new AbortController();
  const { signal } = ending;
  const askedToEnd = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  let failedRestarts = 0;

  const watch = async (): Promise<Usage | undefined> => {
    let usage: Usage | undefined = first;
    let attempts = 0;
    while (usage !== undefined) {
      const startedAt = performance.now();
      const reason = await Promise.race([usage.lost, askedToEnd]);
      if (signal.aborted) return usage;
      options.warn(
        `The embedded PostgreSQL was lost (${reason?.message ?? "connection closed"}); bringing it back.`,
      );
      if (performance.now() - startedAt > healthyAfterMs) attempts = 0;
      do {
        usage = await bringBack(cluster, { ...options, signal }, attempts++);
        failedRestarts = usage === undefined ? failedRestarts + 1 : 0;
      } while (usage === undefined && !signal.aborted);
    }
    return undefined;
  };
  const watched = watch();
  const end = (): Promise<Usage | undefined> => {
    ending.abort();
    return watched;
  };
  return { end, failedRestarts: () => failedRestarts };
}

async function bringBack(
  cluster: Cluster,
  { log, warn, pause = defaultPause, ...options }: SupervisionOptions & { signal: AbortSignal },
  attempts: number,
): Promise<Usage | undefined> {
  try {
    await pause(Math.min(firstDelayMs * 2 ** attempts, longestDelayMs), options.signal);
    const { usage } = await attach(cluster, options);
    log("The embedded PostgreSQL is back.");
    return usage;
  } catch (error) {
    if (!options.signal.aborted)
      warn(`The embedded PostgreSQL is not back yet and is tried again: ${(error as Error).message}`);
    return undefined;
  }
}

function defaultPause(delayMs: number, signal: AbortSignal): Promise<void> {
  return sleep(delayMs, undefined, { signal });
}

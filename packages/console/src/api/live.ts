import type { Query } from "@tanstack/react-query";

const shortestMs = 5_000;
const longestMs = 60_000;

/** Since when each answer has been the same: an answer that says the same again is the same object. */
const sameSince = new WeakMap<object, number>();

/**
 * How long to wait before asking again what may change while somebody looks: soon after it has changed, and ever more
 * rarely while nothing happens.
 */
export function liveInterval({ state }: Pick<Query, "state">): number {
  const data: unknown = state.data;
  if (typeof data !== "object" || data === null) return shortestMs;
  const now = Date.now();
  const since = sameSince.get(data) ?? now;
  sameSince.set(data, since);
  return Math.min(longestMs, Math.max(shortestMs, (now - since) / 2));
}

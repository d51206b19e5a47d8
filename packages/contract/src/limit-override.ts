import type { RateLimit } from "./operations.js";

/** An operator's override of the default limit, for an organization or a key. */
export type LimitOverride = Pick<RateLimit, "requests" | "windowSeconds">;

/** Inclusive. A window is at most a day. */
export const limitOverrideBounds = {
  requests: { minimum: 1, maximum: 1_000_000 },
  windowSeconds: { minimum: 1, maximum: 86_400 },
} as const;

/** Completes "must be ..." when parseLimitOverride rejects a text. */
export const limitOverrideRule = `requests/seconds such as 1000/60, with 1 to ${limitOverrideBounds.requests.maximum} requests in 1 to ${limitOverrideBounds.windowSeconds.maximum} seconds`;

/** The format of GATEHOUSE_LIMITS after the operation's name: requests, and the window in seconds. */
export function showLimitOverride({ requests, windowSeconds }: LimitOverride): string {
  return `${requests}/${windowSeconds}`;
}

/** Undefined if it is malformed or out of bounds. */
export function parseLimitOverride(text: string): LimitOverride | undefined {
  const [, requests, windowSeconds] = /^(\d{1,7})\/(\d{1,5})$/.exec(text.trim()) ?? [];
  const limit = { requests: Number(requests), windowSeconds: Number(windowSeconds) };
  const isWithin = (field: keyof LimitOverride) =>
    limit[field] >= limitOverrideBounds[field].minimum && limit[field] <= limitOverrideBounds[field].maximum;
  return isWithin("requests") && isWithin("windowSeconds") ? limit : undefined;
}

import type { RateLimit } from "./operations.js";

/** What an operator sets for one organization, or for one key, in place of the limit that everybody has. */
export type OwnLimit = Pick<RateLimit, "requests" | "windowSeconds">;

/** Both ends are allowed. A window is at most a day. */
export const ownLimitBounds = {
  requests: { minimum: 1, maximum: 1_000_000 },
  windowSeconds: { minimum: 1, maximum: 86_400 },
} as const;

/** What completes "must be ..." of a text that parseOwnLimit does not take. */
export const ownLimitRule = `requests/seconds such as 1000/60, with 1 to ${ownLimitBounds.requests.maximum} requests in 1 to ${ownLimitBounds.windowSeconds.maximum} seconds`;

/** As GATEHOUSE_LIMITS has it behind the name of the operation: requests, and the seconds of the window. */
export function showOwnLimit({ requests, windowSeconds }: OwnLimit): string {
  return `${requests}/${windowSeconds}`;
}

/** Undefined: it is no limit, or out of bounds. */
export function parseOwnLimit(text: string): OwnLimit | undefined {
  const [, requests, windowSeconds] = /^(\d{1,7})\/(\d{1,5})$/.exec(text.trim()) ?? [];
  const limit = { requests: Number(requests), windowSeconds: Number(windowSeconds) };
  const isWithin = (field: keyof OwnLimit) =>
    limit[field] >= ownLimitBounds[field].minimum && limit[field] <= ownLimitBounds[field].maximum;
  return isWithin("requests") && isWithin("windowSeconds") ? limit : undefined;
}

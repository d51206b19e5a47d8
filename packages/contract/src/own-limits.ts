import type { RateLimit } from "./operations.js";

/** An operator's override of the default limit, for an organization or a key. */
export type OwnLimit = Pick<RateLimit, "requests" | "windowSeconds">;

/** Inclusive. A window is at most a day. */
export const ownLimitBounds = {
  requests: { minimum: 1, maximum: 1_000_000 },
  windowSeconds: { minimum: 1, maximum: 86_400 },
} as const;

/** Completes "must be ..." when parseOwnLimit rejects a text. */
export const ownLimitRule = `requests/seconds such as 1000/60, with 1 to ${ownLimitBounds.requests.maximum} requests in 1 to ${ownLimitBounds.windowSeconds.maximum} seconds`;

/** The format of GATEHOUSE_LIMITS after the operation's name: requests, and the window in seconds. */
export function showOwnLimit({ requests, windowSeconds }: OwnLimit): string {
  return `${requests}/${windowSeconds}`;
}

/** Undefined if it is malformed or out of bounds. */
export function parseOwnLimit(text: string): OwnLimit | undefined {
  const [, requests, windowSeconds] = /^(\d{1,7})\/(\d{1,5})$/.exec(text.trim()) ?? [];
  const limit = { requests: Number(requests), windowSeconds: Number(windowSeconds) };
  const isWithin = (field: keyof OwnLimit) =>
    limit[field] >= ownLimitBounds[field].minimum && limit[field] <= ownLimitBounds[field].maximum;
  return isWithin("requests") && isWithin("windowSeconds") ? limit : undefined;
}

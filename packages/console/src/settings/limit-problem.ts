import { ownLimitRule, parseOwnLimit } from "@gatehouse-parking/contract";

/** What is wrong with a limit that somebody typed. Nothing typed: there is none. */
export function limitProblem(text: string): string | null {
  return text.trim() === "" || parseOwnLimit(text) ? null : `Enter ${ownLimitRule}`;
}

import { nowMs, momentOf } from "../../core/clock.js";
import { InvalidInput } from "../../core/refusals/input-errors.js";

const dayMs = 86_400_000;

interface RangeBounds {
  /** How long a range is that nobody stated. */
  defaultDays: number;
  maxDays: number;
}

export const rangeBounds = {
  outcomesByHour: { defaultDays: 1, maxDays: 31 },
  outcomesByDay: { defaultDays: 1, maxDays: 366 },
  reasons: { defaultDays: 7, maxDays: 92 },
  keyUse: { defaultDays: 1, maxDays: 31 },
} as const satisfies Record<string, RangeBounds>;

/** The range that was asked for. It ends now if nothing else is said. */
export function askedRange(
  asked: { from?: string; to?: string },
  { defaultDays, maxDays }: RangeBounds,
): { from: Date; to: Date } {
  const to = momentOf(asked.to) ?? new Date(nowMs());
  const from = momentOf(asked.from) ?? new Date(to.getTime() - defaultDays * dayMs);
  if (from >= to) throw new InvalidInput("from must be before to");
  if (to.getTime() - from.getTime() > maxDays * dayMs)
    throw new InvalidInput(`The range must not be longer than ${maxDays} days`);
  return { from, to };
}

import { durationOf } from "../config/readers.js";
import { InvalidInput } from "../refusals/input-errors.js";

/** Reads 90s, 30m, 24h or 7d as milliseconds. */
export function parseDuration(text: string): number {
  const value = durationOf(text.trim());
  if (value === undefined) throw new InvalidInput(`"${text}" is not a duration such as 30m, 24h or 7d`);
  return value;
}

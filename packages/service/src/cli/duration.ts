import { InvalidInput } from "../refusals/invalid-input.js";

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Reads 90s, 30m, 24h or 7d as milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(text.trim());
  if (!match) throw new InvalidInput(`"${text}" is not a duration such as 30m, 24h or 7d`);
  return Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
}

import { decidingValues, type ColumnProfile } from "../profile/column-profile.js";

/** A value and the number of rows that it stands for. */
export interface Weighted {
  value: string;
  rows: number;
}

/**
 * The values that decide how a column is written, with their rows. If a column has too many values to list, each of its
 * shapes shares its rows among the examples.
 */
export function weightedValues(profile: ColumnProfile, placeholders: ReadonlySet<string>): Weighted[] {
  if (profile.hasAllValues || profile.shapes.length === 0)
    return profile.values
      .filter(({ value }) => !placeholders.has(value))
      .map(({ value, count }) => ({ value, rows: count }));
  const rows = new Map<string, number>();
  for (const value of decidingValues(profile)) if (!placeholders.has(value)) rows.set(value, 0);
  for (const { count, examples } of profile.shapes) {
    const kept = examples.filter((value) => !placeholders.has(value));
    for (const value of kept) rows.set(value, (rows.get(value) ?? 0) + count / kept.length);
  }
  return [...rows].map(([value, count]) => ({ value, rows: count }));
}

/** The share of the rows whose value passes the test; 0 without values. */
export function shareOf(values: readonly Weighted[], test: (value: string) => boolean): number {
  let all = 0;
  let passed = 0;
  for (const { value, rows } of values) {
    all += rows;
    if (test(value)) passed += rows;
  }
  return all === 0 ? 0 : passed / all;
}

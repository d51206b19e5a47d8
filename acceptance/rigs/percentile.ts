/** The 95th percentile. */
export function percentile95(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)] as number;
}

/** Collects the parameters of a statement that is put together from parts: `add` returns the placeholder. */
export interface SqlParameters {
  readonly values: unknown[];
  add(value: unknown): string;
}

export function sqlParameters(...values: unknown[]): SqlParameters {
  return {
    values,
    add(value) {
      values.push(value);
      return `$${values.length}`;
    },
  };
}

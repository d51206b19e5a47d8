import type pg from "pg";

/** Collects the parameters of a statement that is built from parts. `add` returns the placeholder. */
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

/** A text to search for. PostgreSQL has no U+0000 in texts, so U+FFFF replaces it, which no stored text contains. */
export function searchable(text: string): string {
  return text.replaceAll("\u0000", "\uffff");
}

/** An expression that is greater than every character of a reference, so that it ends the range of a prefix. */
export const lastCharacter = "chr(1114111)";

/** The digits of a phone number. The index on phone numbers has exactly this expression. */
export const phoneDigitsOf = (column: string): string =>
  `regexp_replace(${column} collate "C", '[^0-9]', '', 'g')`;

/** Longer numbers in names are compared by their last digits. */
const comparedDigits = 20;

/**
 * The sort key of a name: without case, and with its numbers padded, so that Deck 2 comes before Deck 10. A collation
 * could do this, but not every PostgreSQL has ICU. Takes about 10 µs per name.
 */
export const naturalOrder = (column: string): string =>
  `regexp_replace(regexp_replace(lower(${column}), '([0-9]+)', E'${"0".repeat(comparedDigits)}\\\\1', 'g'),
     '[0-9]*([0-9]{${comparedDigits}})', E'\\\\1', 'g')`;

const rowsPerBatch = 100;

/**
 * Fetches the rows of a large result in batches, from one snapshot. Thousands of rows at once would block the event loop
 * while they are parsed. The `rowCount` of the result counts only the last batch.
 */
export function fetchInBatches<Query extends pg.QueryConfig | pg.QueryArrayConfig>(query: Query): Query {
  // node-postgres supports the option, but its types lack it.
  return Object.assign(query, { rows: rowsPerBatch });
}

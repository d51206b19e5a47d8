/** Phone numbers are compared by their digits alone. This is the very expression that they are indexed by. */
export const phoneDigitsOf = (column: string): string =>
  `regexp_replace(${column} collate "C", '[^0-9]', '', 'g')`;

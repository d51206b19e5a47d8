import { spellingOfNumbers } from "./numbers.js";
import { spellingOfTimes } from "./times.js";
import type { Weighted } from "./weighted.js";

/** The formats that read values, and a value that they read differently if there are several. */
export interface Readings {
  formats: string[];
  ambiguous: string | undefined;
}

const weighted = (values: readonly string[]): Weighted[] => values.map((value) => ({ value, rows: 1 }));

/** No format if the contract's own format fits, or if none does. */
export function timeReadingsOf(values: readonly string[]): Readings {
  const spelling = spellingOfTimes(weighted(values), { withNumbers: true });
  if (!spelling || spelling.odd.length > 0) return { formats: [], ambiguous: undefined };
  const { patterns = [], rivals, example } = spelling;
  return { formats: [...patterns, ...rivals.flat()], ambiguous: rivals.length > 0 ? example : undefined };
}

export function numberReadings(values: readonly string[]): Readings {
  const spelling = spellingOfNumbers(weighted(values));
  if (!spelling || spelling.odd.length > 0) return { formats: [], ambiguous: undefined };
  const { example, rivals, value } = spelling;
  return {
    formats: [...(example === undefined ? [] : [example]), ...rivals],
    ambiguous: rivals.length > 0 ? value : undefined,
  };
}

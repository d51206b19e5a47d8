import { looksOf, type Look } from "./content/looks.js";
import { namesCurrency, spellingOfNumbers, type NumberSpelling } from "./content/numbers.js";
import { placeholdersOf, type Placeholder } from "./content/placeholders.js";
import { spellingOfTimes, type TimeSpelling } from "./content/times.js";
import { weightedValues, type Weighted } from "./content/weighted.js";
import type { ColumnProfile } from "./profile/column-profile.js";
import { meaningOf, remarksOf, type HeaderMeaning } from "./vocabulary/header-words.js";

/** A column of a foreign file: what its name says and what it contains. */
export interface Column {
  name: string;
  profile: ColumnProfile;
  meaning: HeaderMeaning;
  /** Units and zones in brackets behind the name. */
  remarks: readonly string[];
  placeholders: readonly Placeholder[];
  /** The deciding values without placeholders. */
  values: readonly Weighted[];
  looks: ReadonlySet<Look>;
  times: TimeSpelling | undefined;
  numbers: NumberSpelling | undefined;
}

/** In a column with one of these, numbers may be times. */
const timeConcepts = [
  "date",
  "time",
  "moment",
  "entry",
  "exit",
  "start",
  "end",
  "pay",
  "issue",
  "plan",
] as const;

export function readColumn(profile: ColumnProfile): Column {
  const meaning = meaningOf(profile.name);
  const placeholders = placeholdersOf(profile);
  const values = weightedValues(profile, new Set(placeholders.map(({ value }) => value)));
  const withNumbers = timeConcepts.some((concept) => meaning.concepts.has(concept));
  const times = spellingOfTimes(values, { withNumbers });
  const numbers = spellingOfNumbers(values);
  return {
    ...{
      name: profile.name,
      profile,
      meaning,
      remarks: remarksOf(profile.name),
      placeholders,
      values,
      times,
      numbers,
    },
    looks: looksOf({ profile, isInCurrency: namesCurrency(profile.name), values, times, numbers }),
  };
}

import { importResources, type Entity, type ImportResourceName } from "@gatehouse-parking/contract";
import { fieldTrees, knownPaths, type RepeatedTimes, type Suggestion } from "@gatehouse-parking/record-files";

/** Where one column goes and how it is written, in the words of a mapping file. */
export interface ColumnChoice {
  to: string;
  time?: string | string[];
  number?: string;
  true?: string[];
  false?: string[];
  empty?: string[];
  values?: Record<string, unknown>;
  with?: string;
  location?: string;
  name?: string;
}

/**
 * What a person chose. It is the content of a mapping file, so that what is kept, exported and sent is what was seen.
 * A column that is not mentioned has no name and nothing in it; null leaves it out.
 */
export interface Choices {
  columns: Record<string, ColumnChoice | null>;
  /** The same in every record; a row that is not filled in yet has no path or no value. */
  constants: { path: string; value: string }[];
  empty: string[];
  timeZone: string | null;
  repeatedTimes: RepeatedTimes;
  trim: boolean;
  /** What else the mapping file says, such as how all times are written. */
  others: Record<string, unknown>;
}

export type MappingContent = Record<string, unknown>;

export function choicesOf(content: MappingContent | Suggestion["mapping"]): Choices {
  const {
    columns,
    constants,
    empty,
    timeZone,
    repeatedTimes,
    trim,
    file: _,
    ...others
  } = content as MappingContent;
  return {
    columns: Object.fromEntries(
      Object.entries((columns ?? {}) as Record<string, string | ColumnChoice | null>).map(
        ([name, target]) => [name, typeof target === "string" ? { to: target } : target],
      ),
    ),
    constants: Object.entries((constants ?? {}) as Record<string, unknown>).map(([path, value]) => ({
      path,
      value: typeof value === "string" ? value : JSON.stringify(value),
    })),
    empty: [(empty ?? []) as string | string[]].flat(),
    timeZone: (timeZone as string | undefined) ?? null,
    repeatedTimes: (repeatedTimes as RepeatedTimes | undefined) ?? "earlier",
    trim: trim === true,
    others,
  };
}

/** The mapping file, with how the file is read. */
export function contentOf(choices: Choices, file: Record<string, unknown>): MappingContent {
  const constants = choices.constants.filter(({ path, value }) => path !== "" && value !== "");
  return {
    columns: Object.fromEntries(
      Object.entries(choices.columns).map(([name, choice]) => [name, choice && plainTarget(choice)]),
    ),
    ...(constants.length > 0
      ? { constants: Object.fromEntries(constants.map(({ path, value }) => [path, value])) }
      : {}),
    ...choices.others,
    ...(choices.empty.length > 0 ? { empty: choices.empty } : {}),
    ...(choices.trim ? { trim: true } : {}),
    ...(choices.timeZone === null ? {} : { timeZone: choices.timeZone }),
    ...(choices.repeatedTimes === "earlier" ? {} : { repeatedTimes: choices.repeatedTimes }),
    ...(Object.keys(file).length > 0 ? { file } : {}),
  };
}

/** A target that says nothing but the field is written as that. */
function plainTarget(choice: ColumnChoice): string | ColumnChoice {
  const entries = Object.entries(choice).filter(([, value]) => value !== undefined);
  return entries.length === 1 ? choice.to : (Object.fromEntries(entries) as unknown as ColumnChoice);
}

export function withColumn(choices: Choices, column: string, choice: ColumnChoice | null): Choices {
  return { ...choices, columns: { ...choices.columns, [column]: choice } };
}

/** The date column that each column of times is read together with. */
export function companionsOf(choices: Choices): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(choices.columns).flatMap(([name, choice]) =>
      choice?.with === undefined ? [] : [[choice.with, name] as const],
    ),
  );
}

export function pathsOf(resource: ImportResourceName): string[] {
  return knownPaths(fieldTrees[resource]);
}

/** What a record cannot do without, and nothing gives. */
export function missingPaths(resource: ImportResourceName, choices: Choices): string[] {
  const given = new Set([
    ...Object.values(choices.columns).map((choice) => choice?.to),
    ...choices.constants.filter(({ value }) => value !== "").map(({ path }) => path),
  ]);
  return requiredPaths(resource).filter((path) => !given.has(path));
}

export function requiredPaths(resource: ImportResourceName): readonly string[] {
  const { required = [] }: Entity["schema"] = importResources[resource].entity.schema;
  return required;
}

/** Fields that several columns lead to. */
export function repeatedPaths(choices: Choices): string[] {
  const targets = Object.values(choices.columns).flatMap((choice) => (choice ? [choice.to] : []));
  return [...new Set(targets.filter((path, index) => targets.indexOf(path) !== index))];
}

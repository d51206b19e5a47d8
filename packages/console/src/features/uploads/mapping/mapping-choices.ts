import { importResources, type Entity, type ImportResourceName } from "@gatehouse-parking/contract";
import { fieldTrees, knownPaths, type RepeatedTimes, type Suggestion } from "@gatehouse-parking/record-files";
import { kinds } from "../../../core/records/record-kinds.js";
import { texts } from "./texts.js";

/** One field that a column goes to, and how its values are written, as in a mapping file. */
export interface ColumnChoice {
  to: string;
  time?: string | string[];
  number?: string;
  true?: string[];
  false?: string[];
  empty?: string[];
  trim?: boolean;
  values?: Record<string, unknown>;
  with?: string | string[];
  separator?: string;
  prefix?: string;
  hash?: boolean;
  scale?: string;
  timeOfDay?: string;
  after?: string;
  onProblem?: string;
  location?: string;
  name?: string;
}

/**
 * The user's choices, in the form of a mapping file. A column that is not mentioned is empty and has no name; without
 * targets it is left out.
 */
export interface MappingChoices {
  columns: Record<string, readonly ColumnChoice[]>;
  /** The same in every record. Incomplete rows have an empty path or value. A value that is not edited may be other than text. */
  constants: { path: string; value: unknown }[];
  empty: string[];
  timeZone: string | null;
  repeatedTimes: RepeatedTimes;
  trim: boolean;
  /** Other settings of the mapping file, such as a time format for all columns. */
  others: Record<string, unknown>;
}

export type MappingContent = Record<string, unknown>;

export function choicesOf(content: MappingContent | Suggestion["mapping"]): MappingChoices {
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
      Object.entries((columns ?? {}) as Record<string, unknown>).map(([name, targets]) => [
        name,
        choicesOfColumn(targets),
      ]),
    ),
    constants: Object.entries((constants ?? {}) as Record<string, unknown>).map(([path, value]) => ({
      path,
      value,
    })),
    empty: [(empty ?? []) as string | string[]].flat(),
    timeZone: (timeZone as string | undefined) ?? null,
    repeatedTimes: (repeatedTimes as RepeatedTimes | undefined) ?? "earlier",
    trim: trim === true,
    others,
  };
}

/** The targets of a column in a mapping file: a field, an object, a list of these, or null. */
export function choicesOfColumn(targets: unknown): ColumnChoice[] {
  return targets === null ? [] : [targets as string | ColumnChoice].flat().map(choiceOf);
}

/** Members that a mapping file may write in a shorter way. */
const lists = ["true", "false", "empty"] as const;

function choiceOf(target: string | ColumnChoice): ColumnChoice {
  if (typeof target === "string") return { to: target };
  const choice = { ...target };
  for (const name of lists) if (choice[name] !== undefined) choice[name] = [choice[name]].flat();
  return choice;
}

/** The mapping file, including how the file is parsed. */
export function contentOf(choices: MappingChoices, file: Record<string, unknown>): MappingContent {
  const constants = choices.constants.filter(({ path, value }) => path !== "" && value !== "");
  return {
    columns: Object.fromEntries(
      Object.entries(choices.columns).map(([name, targets]) => [name, contentOfColumn(targets)]),
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

/** The other way round. */
export function contentOfColumn(targets: readonly ColumnChoice[]): unknown {
  const [first, ...others] = targets.map(plainTarget);
  return first === undefined ? null : others.length === 0 ? first : [first, ...others];
}

/** A target with only a field is written as a string. */
function plainTarget(choice: ColumnChoice): unknown {
  const entries = Object.entries(choice).filter(([, value]) => value !== undefined);
  return entries.length === 1 ? choice.to : Object.fromEntries(entries);
}

export function withColumn(
  choices: MappingChoices,
  column: string,
  targets: readonly ColumnChoice[],
): MappingChoices {
  return { ...choices, columns: { ...choices.columns, [column]: targets } };
}

/** All targets, with their columns. */
export function targetsOf({ columns }: MappingChoices): { column: string; choice: ColumnChoice }[] {
  return Object.entries(columns).flatMap(([column, targets]) =>
    targets.map((choice) => ({ column, choice })),
  );
}

/** For each column that others are joined with, the first of these. */
export function companionsOf(choices: MappingChoices): ReadonlyMap<string, string> {
  return new Map(
    targetsOf(choices).flatMap(({ column, choice }) =>
      joinedWith(choice).map((name) => [name, column] as const),
    ),
  );
}

/** The columns that a target is joined with. */
export function joinedWith({ with: joined = [] }: ColumnChoice): string[] {
  return [joined].flat();
}

function pathsOf(resource: ImportResourceName): string[] {
  return knownPaths(fieldTrees[resource]);
}

/** Required fields without a value. */
export function missingPaths(resource: ImportResourceName, choices: MappingChoices): string[] {
  const given = new Set([
    ...targetsOf(choices).map(({ choice }) => choice.to),
    ...choices.constants.filter(({ value }) => value !== "").map(({ path }) => path),
  ]);
  return requiredPaths(resource).filter((path) => !given.has(path));
}

function requiredPaths(resource: ImportResourceName): readonly string[] {
  const { required = [] }: Entity["schema"] = importResources[resource].entity.schema;
  return required;
}

/** Fields with several columns. */
export function repeatedPaths(choices: MappingChoices): string[] {
  const paths = targetsOf(choices).map(({ choice }) => choice.to);
  return [...new Set(paths.filter((path, index) => paths.indexOf(path) !== index))];
}

/** Fields as options: required ones first, fields of nested records in separate groups. */
export function fieldChoices(resource: ImportResourceName, column?: string) {
  const paths = pathsOf(resource);
  const required = requiredPaths(resource);
  const groups = new Map<string, string[]>([[texts.mapping.required, [...required]]]);
  for (const path of paths) {
    if (required.includes(path)) continue;
    const [object = ""] = path.split(".");
    const group =
      path.includes(".") || texts.mapping.nested[object]
        ? (texts.mapping.nested[object] ?? kinds[resource].plural)
        : kinds[resource].plural;
    groups.set(group, [...(groups.get(group) ?? []), path]);
  }
  const choices = [...groups].map(([group, items]) => ({ group, items }));
  return column === undefined
    ? choices
    : [...choices, { group: texts.mapping.noField, items: [metadataPath(column)] }];
}

/** A dot would create a nested object. */
function metadataPath(column: string): string {
  return `metadata.${column.replaceAll(".", " ")}`;
}

import { importResources, type Entity, type ImportResourceName } from "@gatehouse-parking/contract";
import { fieldTrees, knownPaths, type RepeatedTimes, type Suggestion } from "@gatehouse-parking/record-files";
import { kinds } from "../../../core/records/record-kinds.js";
import { texts } from "./texts.js";

/** The target and format of one column, as in a mapping file. */
export interface ColumnChoice {
  to: string;
  time?: string | string[];
  number?: string;
  true?: string[];
  false?: string[];
  empty?: string[];
  values?: Record<string, unknown>;
  with?: string | string[];
  separator?: string;
  prefix?: string;
  hash?: boolean;
  scale?: string;
  timeOfDay?: string;
  onProblem?: string;
  location?: string;
  name?: string;
  /** Further fields of the same column. */
  others?: unknown[];
}

/**
 * The user's choices, in the form of a mapping file. A column that is not mentioned is empty and has no name; null
 * leaves it out.
 */
export interface MappingChoices {
  columns: Record<string, ColumnChoice | null>;
  /** The same in every record. Incomplete rows have an empty path or value. */
  constants: { path: string; value: string }[];
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
      Object.entries((columns ?? {}) as Record<string, Target | Target[] | null>).map(([name, targets]) => [
        name,
        targets === null ? null : choiceOf(targets),
      ]),
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

type Target = string | ColumnChoice;

function choiceOf(targets: Target | Target[]): ColumnChoice {
  const [first = "", ...others] = [targets].flat();
  const choice = typeof first === "string" ? { to: first } : first;
  return others.length === 0 ? choice : { ...choice, others };
}

/** The mapping file, including how the file is parsed. */
export function contentOf(choices: MappingChoices, file: Record<string, unknown>): MappingContent {
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

/** A target with only a field is written as a string. */
function plainTarget({ others, ...choice }: ColumnChoice): unknown {
  const entries = Object.entries(choice).filter(([, value]) => value !== undefined);
  const target = entries.length === 1 ? choice.to : Object.fromEntries(entries);
  return others === undefined ? target : [target, ...others];
}

export function withColumn(
  choices: MappingChoices,
  column: string,
  choice: ColumnChoice | null,
): MappingChoices {
  return { ...choices, columns: { ...choices.columns, [column]: choice } };
}

/** For each time column, the date column that it is combined with. */
export function companionsOf(choices: MappingChoices): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(choices.columns).flatMap(([name, choice]) =>
      [choice?.with ?? []].flat().map((companion) => [companion, name] as const),
    ),
  );
}

/** The field of a target in a mapping file. */
export function targetPath(target: unknown): string {
  return typeof target === "string" ? target : String((target as { to?: unknown } | null)?.to);
}

function pathsOfChoice({ to, others = [] }: ColumnChoice): string[] {
  return [to, ...others.map(targetPath)];
}

function pathsOf(resource: ImportResourceName): string[] {
  return knownPaths(fieldTrees[resource]);
}

/** Required fields without a value. */
export function missingPaths(resource: ImportResourceName, choices: MappingChoices): string[] {
  const given = new Set([
    ...Object.values(choices.columns).flatMap((choice) => (choice ? pathsOfChoice(choice) : [])),
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
  const targets = Object.values(choices.columns).flatMap((choice) => (choice ? pathsOfChoice(choice) : []));
  return [...new Set(targets.filter((path, index) => targets.indexOf(path) !== index))];
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

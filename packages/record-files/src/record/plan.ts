import { unnamedColumn } from "../header/column-names.js";
import { checkedJson } from "../json-check.js";
import { inputError, MappingError, type MappingRefusal, type RowProblem } from "../refusals.js";
import { failurePrefix, recordColumn, type Row } from "../table.js";
import { plainTarget, type ColumnTarget } from "./column-target.js";
import { FieldNames, type FieldTree } from "./fields.js";
import type { LocationIndex } from "./locations.js";
import type { Mapping } from "./mapping.js";
import { putCell, type Placement } from "./put-cell.js";
import {
  RecordBuilder,
  fill,
  maxPathLevels,
  ObjectLimitError,
  take,
  textOf,
  type RecordTree,
  type ObjectReader,
} from "./record-builder.js";
import { requireTarget, requireKnown } from "./require-target.js";
import { filterMatch, type FilterMatch } from "./row-filter.js";
import { plainWord, type Rules } from "./rules.js";

/** A row under conversion, with its problems. */
export interface PlannedRow {
  draft: RecordTree;
  /** Reused, so that its limits apply to the whole record. */
  reader: ObjectReader;
  problems: RowProblem[];
}

/** What becomes of a row: a record, JSON that is not an object, or a row that is not imported. */
export type RowPlan = (row: Row) => PlannedRow | string | FilterMatch;

export interface PlanOptions {
  ignoreUnknownColumns: boolean;
  locations?: LocationIndex | undefined;
}

/** The targets of all cells. */
export interface Plan {
  toDraft: RowPlan;
  /** The columns, or the members of JSON records, that supply a path. */
  columnsOf(path: string): readonly string[] | undefined;
}

/** Computes the target of every cell once, from the header. */
export function planRows(
  columns: readonly string[],
  tree: FieldTree,
  mapping: Mapping,
  options: PlanOptions,
): Plan {
  const names = new FieldNames(tree);
  for (const [column, targets] of mapping.columns)
    for (const target of targets) requireTarget(column, target, { names, tree, mapping, options });
  const constants = planConstants(mapping, names);
  const sources = new Map<string, readonly string[]>();
  const putCells = holdsRecords(columns, mapping)
    ? planMembers(columns.indexOf(recordColumn), mapping, names, options, sources)
    : planCells(columns, mapping, names, options, sources);
  const isEmpty = emptyCheck(mapping.rules);

  return {
    columnsOf: (path) => sources.get(path),
    toDraft: (row) => {
      const builder = new RecordBuilder(names, isEmpty);
      const other = putCells(builder, row);
      if (other !== undefined) return other;
      const { draft, reader } = builder;
      fill(draft, constants, reader);
      return { draft, reader, problems: problemsOf(builder, names, options) };
    },
  };
}

/** Whether a JSON text is one of the words for an empty cell. */
function emptyCheck(rules: Rules | undefined): (text: string) => boolean {
  const words = rules?.empty;
  if (!words) return () => false;
  return (text) => text.startsWith('"') && words.has(plainWord(JSON.parse(text) as string));
}

/** A column may also be called `record`; a column of whole records is the only one. */
function holdsRecords(columns: readonly string[], mapping: Mapping): boolean {
  const own = columns.filter((column) => !column.startsWith(failurePrefix));
  return own.length === 1 && own[0] === recordColumn && !mapping.columns.has(recordColumn);
}

/** Adds the cells of a row. Returns the row's JSON if it is not an object, or the filter that leaves the row out. */
type PutCells = (builder: RecordBuilder, row: Row) => string | FilterMatch | undefined;

/** A target with its columns. */
interface PlacedColumn extends Placement {
  columns: readonly string[];
}

/** Throws an error if two columns lead to one field. */
function placements(
  targets: readonly (readonly [string, ColumnTarget])[],
  mapping: Mapping,
  names: FieldNames,
  sources: Map<string, readonly string[]>,
): PlacedColumn[] {
  return targets.map(([column, target]) => {
    const path = names.pathOf(target.to) as string;
    const [other] = sources.get(path) ?? [];
    if (other !== undefined) throw inputError(1, "columnsLeadToOne", { names: [other, column], path });
    const columns = [column, ...target.with];
    sources.set(path, columns);
    return { path, target, rules: { ...mapping.rules, ...target.rules }, columns };
  });
}

/** Columns that are joined with others, and columns of filters. */
function helpers({ columns, filters = [] }: Mapping) {
  return {
    joined: new Set([...columns.values()].flat().flatMap((target) => target.with)),
    filtered: new Set(filters.map(({ column }) => column)),
  };
}

function planCells(
  columns: readonly string[],
  mapping: Mapping,
  names: FieldNames,
  options: PlanOptions,
  sources: Map<string, readonly string[]>,
): PutCells {
  const positions = new Map(columns.map((column, position) => [column, position]));
  const { joined, filtered } = helpers(mapping);
  for (const name of [...mapping.columns.keys(), ...joined, ...filtered])
    if (!positions.has(name)) throw inputError(1, "mappedColumnMissing", { name });
  const unknown: string[] = [];
  const nameless: number[] = [];
  const targets: (readonly [string, ColumnTarget])[] = [];
  for (const [position, column] of columns.entries()) {
    if (column.startsWith(failurePrefix)) continue;
    const mapped = mapping.columns.get(column);
    if (mapped) targets.push(...mapped.map((target) => [column, target] as const));
    else if (joined.has(column)) continue;
    else if (names.pathOf(column) !== undefined) targets.push([column, plainTarget(column)]);
    else if (filtered.has(column)) continue;
    else if (column === unnamedColumn(position)) nameless.push(position);
    else unknown.push(column);
  }
  const placed = placements(targets, mapping, names, sources).map((placement) => ({
    placement,
    positions: placement.columns.map((column) => positions.get(column) as number),
  }));
  if (unknown.length > 0 && !options.ignoreUnknownColumns)
    throw inputError(1, "unknownColumns", names.unknown(unknown));

  return (builder, { cells }) => {
    const match = filterMatch(
      mapping.filters ?? [],
      (name) => cells[positions.get(name) as number] as string,
    );
    if (match) return match;
    for (const { placement, positions: from } of placed) {
      const held = from.map((position) => cells[position] as string);
      if (held.some((cell) => cell.trim() !== "")) putCell(builder, placement, held, options.locations);
    }
    for (const position of nameless) {
      const value = cells[position] as string;
      const data = { name: columns[position] as string };
      if (value.trim() !== "") builder.problems.push({ path: "", value, code: "namelessColumn", data });
    }
    return undefined;
  };
}

/** Like planCells for JSON records, whose members act as columns. */
function planMembers(
  recordPosition: number,
  mapping: Mapping,
  names: FieldNames,
  options: PlanOptions,
  sources: Map<string, readonly string[]>,
): PutCells {
  const targets = [...mapping.columns].flatMap(([name, own]) => own.map((target) => [name, target] as const));
  const placed = placements(targets, mapping, names, sources);
  const { joined, filtered } = helpers(mapping);
  // Deepest paths first, so that a member can have a different target than its object.
  const taken = [...new Set([...mapping.columns.keys(), ...joined, ...filtered])]
    .map((name) => ({ name, levels: levelsOf(name) }))
    .toSorted((one, other) => other.levels.length - one.levels.length);
  const onlyFiltered = [...filtered].filter((name) => !mapping.columns.has(name) && !joined.has(name));

  return (builder, { cells, line, isJson }) => {
    const cell = cells[recordPosition] as string;
    const text = isJson ? cell : checkedJson(cell, line);
    const { reader } = builder;
    const members = reader.membersOf(text);
    if (!members) return text;
    // Take all members before adding any, because targets and sources may overlap.
    const held = new Map(taken.map(({ name, levels }) => [name, take(members, levels, reader)]));
    const match = filterMatch(mapping.filters ?? [], (name) => plainText(held.get(name)));
    if (match) return match;
    for (const placement of placed) putMembers(builder, placement, held, options);
    for (const name of onlyFiltered) {
      const member = held.get(name);
      if (member !== undefined && names.pathOf(name) !== undefined) builder.putNamed(name, member);
    }
    for (const [name, member] of members) {
      if (!name.startsWith(failurePrefix)) builder.putNamed(name, textOf(member));
    }
    return undefined;
  };
}

function putMembers(
  builder: RecordBuilder,
  placement: PlacedColumn,
  held: ReadonlyMap<string, string | undefined>,
  { locations }: PlanOptions,
): void {
  const { columns, target, path } = placement;
  const texts = columns.map((name) => held.get(name));
  const [text = ""] = texts;
  const isAlone = texts.length === 1;
  if (isAlone && text === "") return;
  if (isAlone && text === "null") {
    // Like an empty cell, unless the mapping replaces it.
    const replaced = target.values.get(text);
    if (replaced !== undefined) builder.putNamed(target.to, replaced);
    return;
  }
  const isValue =
    text.startsWith('"') ||
    target.prefix !== undefined ||
    target.isHashed === true ||
    target.location !== undefined;
  if (isAlone && !isValue) {
    const replaced = target.values.get(text);
    if (replaced !== undefined || target.scale === undefined)
      return builder.putNamed(target.to, replaced ?? text);
    // JSON has one way to write numbers, whatever the format of the others.
    return putCell(builder, { ...placement, rules: {} }, [text], locations);
  }
  const cells = texts.map(plainText);
  // An empty string is a value in JSON, unless the mapping replaces it.
  if (isAlone && (cells[0] as string).trim() === "")
    return builder.put(path, target.values.get(cells[0] as string) ?? text);
  return putCell(builder, placement, cells, locations);
}

/** The text of a member: without quotes, and empty for null. */
function plainText(member: string | undefined): string {
  if (member === undefined || member === "null") return "";
  return member.startsWith('"') ? (JSON.parse(member) as string) : member;
}

/** A name with too many dots is looked up literally. */
function levelsOf(name: string): string[] {
  const levels = name.split(".");
  return levels.length > maxPathLevels ? [name] : levels;
}

/** Constants fill gaps of the records, so they must not conflict with each other. */
function planConstants(mapping: Mapping, names: FieldNames): RecordTree {
  const builder = new RecordBuilder(names);
  for (const [path, text] of mapping.constants) {
    try {
      builder.putNamed(path, text);
    } catch (error) {
      if (!(error instanceof ObjectLimitError)) throw error;
      refuse({ code: "constantRefused", data: { path, problem: error.refusal } });
    }
    const [problem] = builder.problems;
    if (problem) refuse({ code: "constantRefused", data: { path, problem } });
  }
  const { draft, unknown, repeated } = builder;
  requireKnown(unknown, names);
  if (repeated.length > 0) refuse({ code: "constantTwice", data: { paths: repeated } });
  return draft;
}

function problemsOf(
  { unknown, repeated, problems: others }: RecordBuilder,
  names: FieldNames,
  { ignoreUnknownColumns }: PlanOptions,
): RowProblem[] {
  const problems = repeated.map((path): RowProblem => ({ path, code: "givenTwice", data: {} }));
  if (unknown.length > 0 && !ignoreUnknownColumns)
    problems.push({ path: "", code: "unknownMembers", data: names.unknown(unknown) });
  return [...problems, ...others];
}

function refuse(refusal: MappingRefusal): never {
  throw new MappingError(refusal);
}

import { unnamedColumn } from "../csv.js";
import { checkedJson } from "../json.js";
import { inputError, MappingError, type MappingRefusal, type RowProblem } from "../refusals.js";
import { failurePrefix, recordColumn, type Row } from "../table.js";
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
import { FieldNames, type FieldTree } from "./fields.js";
import type { LocationIndex } from "./locations.js";
import { firstAndLast, type ColumnTarget, type Mapping } from "./mapping.js";
import { plainWord, type Rules } from "./rules.js";

/** A row under conversion, with its problems. */
export interface PlannedRow {
  draft: RecordTree;
  /** Reused, so that its limits apply to the whole record. */
  reader: ObjectReader;
  problems: RowProblem[];
}

/** Converts the cells of a row; returns a string if the row contains JSON that is not an object. */
export type RowPlan = (row: Row) => PlannedRow | string;

interface PlanOptions {
  ignoreUnknownColumns: boolean;
  locations?: LocationIndex | undefined;
}

/** The targets of all cells. */
export interface Plan {
  toDraft: RowPlan;
  /** The columns, or the member of JSON records, that supply a path. */
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
  for (const [column, target] of mapping.columns) if (target) requireTarget(column, target, names, options);
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
      const text = putCells(builder, row);
      if (text !== undefined) return text;
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

/** Adds the cells of a row; returns the row's JSON if it is not an object. */
type PutCells = (builder: RecordBuilder, row: Row) => string | undefined;

function planCells(
  columns: readonly string[],
  mapping: Mapping,
  names: FieldNames,
  options: PlanOptions,
  sources: Map<string, readonly string[]>,
): PutCells {
  const positions = new Map(columns.map((column, position) => [column, position]));
  const timeColumns = new Set([...mapping.columns.values()].flatMap((target) => target?.with ?? []));
  for (const name of [...mapping.columns.keys(), ...timeColumns])
    if (!positions.has(name)) throw inputError(1, "mappedColumnMissing", { name });
  const unknown: string[] = [];
  const nameless: number[] = [];
  const placements = new Map<string, Placement>();
  for (const [position, column] of columns.entries()) {
    if (column.startsWith(failurePrefix)) continue;
    const target = mapping.columns.get(column);
    if (target === null || (target === undefined && timeColumns.has(column))) continue;
    if (target === undefined && column === unnamedColumn(position)) {
      nameless.push(position);
      continue;
    }
    const path = names.pathOf(target?.to ?? column);
    if (path === undefined) {
      unknown.push(column);
      continue;
    }
    const other = placements.get(path);
    if (other) throw inputError(1, "columnsLeadToOne", { names: [other.column, column], path });
    const timeColumn = target?.with === undefined ? undefined : positions.get(target.with);
    placements.set(path, { column, position, timeColumn, target: target ?? { to: path, values: new Map() } });
    sources.set(path, [column, ...(target?.with === undefined ? [] : [target.with])]);
  }
  if (unknown.length > 0 && !options.ignoreUnknownColumns)
    throw inputError(1, "unknownColumns", names.unknown(unknown));

  return (builder, { cells }) => {
    for (const [path, { position, timeColumn, target }] of placements) {
      const cell = joined(
        cells[position] as string,
        timeColumn === undefined ? undefined : cells[timeColumn],
      );
      if (cell.trim() !== "") putCell(builder, path, cell, target, options);
    }
    for (const position of nameless) {
      const value = cells[position] as string;
      const data = { name: columns[position] as string };
      if (value.trim() !== "") builder.problems.push({ path: "", value, code: "namelessColumn", data });
    }
    return undefined;
  };
}

interface Placement {
  column: string;
  position: number;
  /** The position of the column named by `with`. */
  timeColumn: number | undefined;
  target: ColumnTarget;
}

function joined(cell: string, timeColumn: string | undefined): string {
  return timeColumn === undefined ? cell : `${cell.trim()} ${timeColumn.trim()}`;
}

/** Adds one cell at its target. */
function putCell(
  builder: RecordBuilder,
  path: string,
  cell: string,
  target: ColumnTarget,
  { locations }: PlanOptions,
): void {
  if (target.rules?.empty?.has(plainWord(cell))) return;
  const replaced = target.values.get(cell.trim());
  if (replaced !== undefined) builder.put(path, replaced);
  else if (target.location !== undefined && locations) {
    const found = locations.find(cell, target.location);
    if ("uuid" in found) builder.put(path, JSON.stringify(found.uuid));
    else if (!emptyWord(builder, cell)) builder.problems.push({ ...found, path, value: cell });
  } else if (target.name === undefined) builder.put(path, JSON.stringify(cell));
  else if (!emptyWord(builder, cell)) {
    const { firstName, lastName } = firstAndLast(cell, target.name);
    if (firstName !== "") builder.put(`${path}.firstName`, JSON.stringify(firstName));
    builder.put(`${path}.lastName`, JSON.stringify(lastName));
  }
}

function emptyWord(builder: RecordBuilder, cell: string): boolean {
  return builder.isEmpty(JSON.stringify(cell));
}

/** Like planCells for JSON records, whose members act as columns. */
function planMembers(
  recordPosition: number,
  mapping: Mapping,
  names: FieldNames,
  options: PlanOptions,
  sources: Map<string, readonly string[]>,
): PutCells {
  // Deepest paths first, so that a member can have a different target than its object.
  const targets = [...mapping.columns]
    .map(([name, target]) => ({
      path: levelsOf(name),
      target,
      timeColumn: target?.with === undefined ? undefined : levelsOf(target.with),
    }))
    .toSorted((one, other) => other.path.length - one.path.length);
  for (const [name, target] of mapping.columns)
    if (target) sources.set(names.pathOf(target.to) as string, [name]);

  return (builder, { cells, line, isJson }) => {
    const cell = cells[recordPosition] as string;
    const text = isJson ? cell : checkedJson(cell, line);
    const { reader } = builder;
    const members = reader.membersOf(text);
    if (!members) return text;
    // Take all members before adding any, because targets and sources may overlap.
    const taken = targets.map(({ path, target, timeColumn }) => ({
      text: take(members, path, reader),
      timeColumn: timeColumn && take(members, timeColumn, reader),
      target,
    }));
    for (const { text: member, timeColumn, target } of taken) {
      if (member === undefined || !target) continue;
      const text = joinedText(member, timeColumn);
      if (text.startsWith('"')) {
        const value = JSON.parse(text) as string;
        const path = names.pathOf(target.to) as string;
        // An empty string is a value in JSON, unless the mapping replaces it.
        if (value.trim() === "") builder.put(path, target.values.get(value) ?? text);
        else putCell(builder, path, value, target, options);
      } else builder.putNamed(target.to, target.values.get(text) ?? text);
    }
    for (const [name, member] of members) {
      if (!name.startsWith(failurePrefix)) builder.putNamed(name, textOf(member));
    }
    return undefined;
  };
}

/** A name with too many dots is looked up literally. */
function levelsOf(name: string): string[] {
  const levels = name.split(".");
  return levels.length > maxPathLevels ? [name] : levels;
}

/** Combines date and time of a JSON record. */
function joinedText(text: string, timeColumn: string | undefined): string {
  if (timeColumn === undefined) return text;
  const parts = [text, timeColumn].map((part) =>
    part.startsWith('"') ? (JSON.parse(part) as string) : part,
  );
  return JSON.stringify(joined(parts[0] as string, parts[1]));
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

function requireTarget(
  column: string,
  { to, name, location }: ColumnTarget,
  names: FieldNames,
  { locations }: PlanOptions,
): void {
  requireKnown([to], names, column);
  const path = names.pathOf(to) as string;
  if (name !== undefined && names.pathOf(`${path}.lastName`) === undefined)
    refuse({ code: "noFullName", data: { path: to } }, column);
  if (location === undefined) return;
  if (!path.endsWith("locationUuid")) refuse({ code: "noLocation", data: { path: to } }, column);
  if (!locations) refuse({ code: "locationsNotKnown", data: {} }, column);
}

function requireKnown(paths: readonly string[], names: FieldNames, column?: string): void {
  const unknown = paths.find((path) => names.pathOf(path) === undefined);
  if (unknown !== undefined) refuse({ code: "unknownField", data: names.unknownName(unknown) }, column);
}

function refuse(refusal: MappingRefusal, column?: string): never {
  throw new MappingError(refusal, column);
}

import { nameOfNameless } from "../csv.js";
import { checkedJson } from "../json.js";
import { inputError, MappingError, type MappingRefusal, type RowProblem } from "../refusals.js";
import { failurePrefix, recordColumn, type Row } from "../table.js";
import {
  Assembly,
  fill,
  maxPathLevels,
  NotTakenApart,
  take,
  textOf,
  type Draft,
  type ObjectReader,
} from "./draft.js";
import { FieldNames, type FieldTree } from "./fields.js";
import type { LocationBook } from "./locations.js";
import { firstAndLast, type ColumnTarget, type Mapping } from "./mapping.js";
import { plainWord, type Rules } from "./rules.js";

/** A row on its way to become a record, and why it cannot become one. */
export interface PlannedRow {
  draft: Draft;
  /** The one that has taken it apart so far. */
  reader: ObjectReader;
  problems: RowProblem[];
}

/** Turns the cells of one row into a draft; a string if the row holds JSON that is no object. */
export type RowPlan = (row: Row) => PlannedRow | string;

interface PlanOptions {
  ignoreUnknownColumns: boolean;
  locations?: LocationBook | undefined;
}

/** Where every cell goes. */
export interface Plan {
  toDraft: RowPlan;
  /** The columns, or the member of JSON records, that a path gets its value from. */
  columnsOf(path: string): readonly string[] | undefined;
}

/** Decides once, from the header, where every cell goes. */
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
  const isEmpty = emptinessOf(mapping.rules);

  return {
    columnsOf: (path) => sources.get(path),
    toDraft: (row) => {
      const assembly = new Assembly(names, isEmpty);
      const text = putCells(assembly, row);
      if (text !== undefined) return text;
      const { draft, reader } = assembly;
      fill(draft, constants, reader);
      return { draft, reader, problems: problemsOf(assembly, names, options) };
    },
  };
}

/** Whether a JSON text is one of the words that count as an empty cell. */
function emptinessOf(rules: Rules | undefined): (text: string) => boolean {
  const words = rules?.empty;
  if (!words) return () => false;
  return (text) => text.startsWith('"') && words.has(plainWord(JSON.parse(text) as string));
}

/** An ordinary column may be called `record` as well; one that holds whole records stands alone. */
function holdsRecords(columns: readonly string[], mapping: Mapping): boolean {
  const own = columns.filter((column) => !column.startsWith(failurePrefix));
  return own.length === 1 && own[0] === recordColumn && !mapping.columns.has(recordColumn);
}

/** Puts what a row holds into the assembly; returns the row's JSON if that is no object. */
type PutCells = (assembly: Assembly, row: Row) => string | undefined;

function planCells(
  columns: readonly string[],
  mapping: Mapping,
  names: FieldNames,
  options: PlanOptions,
  sources: Map<string, readonly string[]>,
): PutCells {
  const positions = new Map(columns.map((column, position) => [column, position]));
  const companions = new Set([...mapping.columns.values()].flatMap((target) => target?.with ?? []));
  for (const name of [...mapping.columns.keys(), ...companions])
    if (!positions.has(name)) throw inputError(1, "mappedColumnMissing", { name });
  const unknown: string[] = [];
  const nameless: number[] = [];
  const placements = new Map<string, Placement>();
  for (const [position, column] of columns.entries()) {
    if (column.startsWith(failurePrefix)) continue;
    const target = mapping.columns.get(column);
    if (target === null || (target === undefined && companions.has(column))) continue;
    if (target === undefined && column === nameOfNameless(position)) {
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
    const companion = target?.with === undefined ? undefined : positions.get(target.with);
    placements.set(path, { column, position, companion, target: target ?? { to: path, values: new Map() } });
    sources.set(path, [column, ...(target?.with === undefined ? [] : [target.with])]);
  }
  if (unknown.length > 0 && !options.ignoreUnknownColumns)
    throw inputError(1, "unknownColumns", names.unknown(unknown));

  return (assembly, { cells }) => {
    for (const [path, { position, companion, target }] of placements) {
      const cell = joined(cells[position] as string, companion === undefined ? undefined : cells[companion]);
      if (cell.trim() !== "") putCell(assembly, path, cell, target, options);
    }
    for (const position of nameless) {
      const value = cells[position] as string;
      const data = { name: columns[position] as string };
      if (value.trim() !== "") assembly.problems.push({ path: "", value, code: "namelessColumn", data });
    }
    return undefined;
  };
}

interface Placement {
  column: string;
  position: number;
  /** Where the column is that `with` names. */
  companion: number | undefined;
  target: ColumnTarget;
}

function joined(cell: string, companion: string | undefined): string {
  return companion === undefined ? cell : `${cell.trim()} ${companion.trim()}`;
}

/** Puts one text where its column leads. */
function putCell(
  assembly: Assembly,
  path: string,
  cell: string,
  target: ColumnTarget,
  { locations }: PlanOptions,
): void {
  if (target.rules?.empty?.has(plainWord(cell))) return;
  const replaced = target.values.get(cell.trim());
  if (replaced !== undefined) assembly.put(path, replaced);
  else if (target.location !== undefined && locations) {
    const found = locations.find(cell, target.location);
    if ("uuid" in found) assembly.put(path, JSON.stringify(found.uuid));
    else if (!emptyWord(assembly, cell)) assembly.problems.push({ ...found, path, value: cell });
  } else if (target.name === undefined) assembly.put(path, JSON.stringify(cell));
  else if (!emptyWord(assembly, cell)) {
    const { firstName, lastName } = firstAndLast(cell, target.name);
    if (firstName !== "") assembly.put(`${path}.firstName`, JSON.stringify(firstName));
    assembly.put(`${path}.lastName`, JSON.stringify(lastName));
  }
}

function emptyWord(assembly: Assembly, cell: string): boolean {
  return assembly.isEmpty(JSON.stringify(cell));
}

/** The same for records that are JSON: their members are named like columns. */
function planMembers(
  recordPosition: number,
  mapping: Mapping,
  names: FieldNames,
  options: PlanOptions,
  sources: Map<string, readonly string[]>,
): PutCells {
  // What lies deepest is taken first, so that a member can go elsewhere than the object around it.
  const targets = [...mapping.columns]
    .map(([name, target]) => ({
      path: levelsOf(name),
      target,
      companion: target?.with === undefined ? undefined : levelsOf(target.with),
    }))
    .toSorted((one, other) => other.path.length - one.path.length);
  for (const [name, target] of mapping.columns)
    if (target) sources.set(names.pathOf(target.to) as string, [name]);

  return (assembly, { cells, line, isJson }) => {
    const cell = cells[recordPosition] as string;
    const text = isJson ? cell : checkedJson(cell, line);
    const { reader } = assembly;
    const members = reader.membersOf(text);
    if (!members) return text;
    // All are taken before any is put, because one may go where another comes from.
    const taken = targets.map(({ path, target, companion }) => ({
      text: take(members, path, reader),
      companion: companion && take(members, companion, reader),
      target,
    }));
    for (const { text: member, companion, target } of taken) {
      if (member === undefined || !target) continue;
      const text = joinedText(member, companion);
      if (text.startsWith('"')) {
        const value = JSON.parse(text) as string;
        const path = names.pathOf(target.to) as string;
        // An empty string is a value in JSON, unless the mapping says otherwise.
        if (value.trim() === "") assembly.put(path, target.values.get(value) ?? text);
        else putCell(assembly, path, value, target, options);
      } else assembly.putNamed(target.to, target.values.get(text) ?? text);
    }
    for (const [name, member] of members) {
      if (!name.startsWith(failurePrefix)) assembly.putNamed(name, textOf(member));
    }
    return undefined;
  };
}

/** Nobody nests members as deep as some names have dots: such a name is looked for as it is. */
function levelsOf(name: string): string[] {
  const levels = name.split(".");
  return levels.length > maxPathLevels ? [name] : levels;
}

/** Date and time of a JSON record as one string. */
function joinedText(text: string, companion: string | undefined): string {
  if (companion === undefined) return text;
  const parts = [text, companion].map((part) => (part.startsWith('"') ? (JSON.parse(part) as string) : part));
  return JSON.stringify(joined(parts[0] as string, parts[1]));
}

/** Constants go where a record has nothing, so they may not be in each other's way either. */
function planConstants(mapping: Mapping, names: FieldNames): Draft {
  const assembly = new Assembly(names);
  for (const [path, text] of mapping.constants) {
    try {
      assembly.putNamed(path, text);
    } catch (error) {
      if (!(error instanceof NotTakenApart)) throw error;
      refuse({ code: "constantRefused", data: { path, problem: error.refusal } });
    }
    const [problem] = assembly.problems;
    if (problem) refuse({ code: "constantRefused", data: { path, problem } });
  }
  const { draft, unknown, repeated } = assembly;
  requireKnown(unknown, names);
  if (repeated.length > 0) refuse({ code: "constantTwice", data: { paths: repeated } });
  return draft;
}

function problemsOf(
  { unknown, repeated, problems: others }: Assembly,
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

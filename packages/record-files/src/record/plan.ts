import { nameOfNameless } from "../csv.js";
import { failurePrefix } from "../failure-columns.js";
import { checkedJson } from "../ndjson.js";
import { shownName, shownNames } from "../shown-name.js";
import { InputError, recordColumn, type Row } from "../table.js";
import { Assembly, maxPathLevels } from "./assembly.js";
import { fill, take, textOf, type Draft } from "./draft.js";
import { FieldNames } from "./field-names.js";
import type { FieldTree } from "./fields.js";
import { firstAndLast } from "./conversions/full-name.js";
import type { LocationBook } from "./locations.js";
import type { ColumnTarget, Mapping } from "./mapping.js";
import { NotTakenApart, type ObjectReader } from "./object-reader.js";
import { problemOf, shown, type RowProblem } from "./problems.js";
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
  /** The column, or the member of JSON records, that a path gets its value from. */
  columnOf(path: string): string | undefined;
}

/** Decides once, from the header, where every cell goes. */
export function planRows(
  columns: readonly string[],
  tree: FieldTree,
  mapping: Mapping,
  options: PlanOptions,
): Plan {
  const names = new FieldNames(tree);
  for (const target of mapping.columns.values()) if (target) requireTarget(target, names, options);
  const constants = planConstants(mapping, names);
  const sources = new Map<string, string>();
  const putCells = holdsRecords(columns, mapping)
    ? planMembers(columns.indexOf(recordColumn), mapping, names, options, sources)
    : planCells(columns, mapping, names, options, sources);
  const isEmpty = emptinessOf(mapping.rules);

  return {
    columnOf: (path) => sources.get(path),
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
  sources: Map<string, string>,
): PutCells {
  const positions = new Map(columns.map((column, position) => [column, position]));
  const companions = new Set([...mapping.columns.values()].flatMap((target) => target?.with ?? []));
  for (const column of [...mapping.columns.keys(), ...companions]) {
    if (!positions.has(column))
      throw new InputError(
        1,
        `the mapping file names the column ${shownName(column)}, which is not in the header`,
      );
  }
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
    if (other)
      throw new InputError(
        1,
        `the columns ${shownName(other.column)} and ${shownName(column)} both lead to ${path}. Remove one of them, or leave it out in a mapping file with null`,
      );
    const companion = target?.with === undefined ? undefined : positions.get(target.with);
    placements.set(path, { column, position, companion, target: target ?? { to: path, values: new Map() } });
    sources.set(path, target?.with === undefined ? column : `${column}" and "${target.with}`);
  }
  if (unknown.length > 0 && !options.ignoreUnknownColumns)
    throw new InputError(1, unknownNames(unknown, "columns", names));

  return (assembly, { cells }) => {
    for (const [path, { position, companion, target }] of placements) {
      const cell = joined(cells[position] as string, companion === undefined ? undefined : cells[companion]);
      if (cell.trim() !== "") putCell(assembly, path, cell, target, options);
    }
    for (const position of nameless) {
      const cell = cells[position] as string;
      if (cell.trim() !== "") assembly.problems.push(namelessProblem(columns[position] as string, cell));
    }
    return undefined;
  };
}

function namelessProblem(column: string, value: string): RowProblem {
  const advice = `say in a mapping file where "${column}" goes, null for nowhere`;
  return {
    path: "",
    value,
    problem: `${column} has no name, but holds something; ${advice}`,
    text: `${column} has no name, but holds ${shown(value)}; ${advice}`,
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
    else if (!emptyWord(assembly, cell))
      assembly.problems.push({
        path,
        value: cell,
        problem: found.problem,
        text: `${path}: ${shown(cell)}: ${found.problem}`,
      });
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
  sources: Map<string, string>,
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
    if (target) sources.set(names.pathOf(target.to) as string, name);

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
      throw new Error(`The mapping file gives the constant ${shownName(path)}: ${error.message}`, {
        cause: error,
      });
    }
  }
  const { draft, unknown, repeated, problems } = assembly;
  requireKnown(unknown, names);
  if (problems[0]) throw new Error(`The mapping file gives the constant ${problems[0].text}`);
  if (repeated.length > 0)
    throw new Error(`The mapping file gives the constant ${shownNames(repeated)} twice; keep one of them`);
  return draft;
}

function problemsOf(
  { unknown, repeated, problems: others }: Assembly,
  names: FieldNames,
  { ignoreUnknownColumns }: PlanOptions,
): RowProblem[] {
  const problems = repeated.map((path) => problemOf(path, "is given twice; keep one of them"));
  if (unknown.length > 0 && !ignoreUnknownColumns)
    problems.push(problemOf("", unknownNames(unknown, "members", names)));
  return [...problems, ...others];
}

function requireTarget(target: ColumnTarget, names: FieldNames, { locations }: PlanOptions): void {
  requireKnown([target.to], names);
  const path = names.pathOf(target.to) as string;
  if (target.name !== undefined && names.pathOf(`${path}.lastName`) === undefined)
    throw new Error(
      `The mapping file cuts a name into ${shownName(target.to)}, which has no firstName and lastName; contact has`,
    );
  if (target.location !== undefined && !path.endsWith("locationUuid"))
    throw new Error(
      `The mapping file looks a location up for ${shownName(target.to)}; only locationUuid takes one`,
    );
  if (target.location !== undefined && !locations)
    throw new Error(
      'The mapping file looks locations up ("location"), for which the service must be asked: add --url and the key',
    );
}

function requireKnown(paths: readonly string[], names: FieldNames): void {
  const unknown = paths.find((path) => names.pathOf(path) === undefined);
  if (unknown !== undefined)
    throw new Error(
      `The mapping file names ${shownName(unknown)}, which is no field${names.suggestion(unknown)}`,
    );
}

function unknownNames(unknown: readonly string[], kind: "columns" | "members", names: FieldNames): string {
  const draft = kind === "columns" ? " (--suggest-mapping drafts one)" : "";
  return `no field is called ${names.listOf(unknown)}. Rename the ${kind}, say in a mapping file where they go${draft}, or add --ignore-unknown-columns`;
}

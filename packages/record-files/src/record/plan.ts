import { memberTexts } from "@gatehouse-parking/json-text";
import { checkedJson } from "../ndjson.js";
import { InputError, recordColumn, type Row } from "../table.js";
import { Assembly } from "./assembly.js";
import { fill, take, textOf, type Draft } from "./draft.js";
import { FieldNames } from "./field-names.js";
import type { FieldTree } from "./fields.js";
import type { ColumnTarget, Mapping } from "./mapping.js";

/** Columns that failed.csv adds; they are passed over when it is pushed again. */
export const failurePrefix = "failure.";

/** A row on its way to become a record, and why it cannot become one. */
export interface PlannedRow {
  draft: Draft;
  problems: string[];
}

/** Turns the cells of one row into a draft; a string if the row holds JSON that is no object. */
export type RowPlan = (row: Row) => PlannedRow | string;

interface PlanOptions {
  ignoreUnknownColumns: boolean;
}

/** Decides once, from the header, where every cell goes. */
export function planRows(
  columns: readonly string[],
  tree: FieldTree,
  mapping: Mapping,
  options: PlanOptions,
): RowPlan {
  const names = new FieldNames(tree);
  for (const target of mapping.columns.values()) if (target) requireKnown([target.to], names);
  const constants = planConstants(mapping, names);
  const putCells = holdsRecords(columns, mapping)
    ? planMembers(columns.indexOf(recordColumn), mapping)
    : planCells(columns, mapping, names, options);

  return (row) => {
    const assembly = new Assembly(names);
    const text = putCells(assembly, row);
    if (text !== undefined) return text;
    fill(assembly.draft, constants);
    return { draft: assembly.draft, problems: problemsOf(assembly, names, options) };
  };
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
): PutCells {
  for (const column of mapping.columns.keys()) {
    if (!columns.includes(column))
      throw new InputError(1, `the mapping file names the column "${column}", which is not in the header`);
  }
  const unknown: string[] = [];
  const placements = new Map<string, { column: string; position: number; values: ColumnTarget["values"] }>();
  for (const [position, column] of columns.entries()) {
    if (column.startsWith(failurePrefix)) continue;
    const target = mapping.columns.get(column);
    if (target === null) continue;
    const path = names.pathOf(target?.to ?? column);
    if (path === undefined) {
      unknown.push(column);
      continue;
    }
    const other = placements.get(path);
    if (other)
      throw new InputError(
        1,
        `the columns "${other.column}" and "${column}" both lead to ${path}. Remove one of them, or leave it out in a mapping file with null`,
      );
    placements.set(path, { column, position, values: target?.values ?? new Map() });
  }
  if (unknown.length > 0 && !options.ignoreUnknownColumns)
    throw new InputError(1, unknownNames(unknown, "columns", names));

  return (assembly, { cells }) => {
    for (const [path, { position, values }] of placements) {
      const cell = cells[position] as string;
      if (cell.trim() !== "") assembly.put(path, values.get(cell.trim()) ?? JSON.stringify(cell));
    }
    return undefined;
  };
}

/** The same for records that are JSON: their members are named like columns. */
function planMembers(recordPosition: number, mapping: Mapping): PutCells {
  // What lies deepest is taken first, so that a member can go elsewhere than the object around it.
  const targets = [...mapping.columns]
    .map(([name, target]) => ({ path: name.split("."), target }))
    .toSorted((one, other) => other.path.length - one.path.length);

  return (assembly, { cells, line }) => {
    const text = checkedJson(cells[recordPosition] as string, line);
    const members = memberTexts(text);
    if (!members) return text;
    // All are taken before any is put, because one may go where another comes from.
    const taken = targets.map(({ path, target }) => ({ text: take(members, path), target }));
    for (const { text: member, target } of taken) {
      if (member !== undefined && target) assembly.putNamed(target.to, translated(member, target.values));
    }
    for (const [name, member] of members) {
      if (!name.startsWith(failurePrefix)) assembly.putNamed(name, textOf(member));
    }
    return undefined;
  };
}

function translated(text: string, values: ColumnTarget["values"]): string {
  const value: unknown = JSON.parse(text);
  return values.get(typeof value === "string" ? value : text) ?? text;
}

/** Constants go where a record has nothing, so they may not be in each other's way either. */
function planConstants(mapping: Mapping, names: FieldNames): Draft {
  const assembly = new Assembly(names);
  for (const [path, text] of mapping.constants) assembly.putNamed(path, text);
  const { draft, unknown, repeated } = assembly;
  requireKnown(unknown, names);
  if (repeated.length > 0)
    throw new Error(`The mapping file gives the constant ${repeated.join(", ")} twice; keep one of them`);
  return draft;
}

function problemsOf(
  { unknown, repeated }: Assembly,
  names: FieldNames,
  { ignoreUnknownColumns }: PlanOptions,
): string[] {
  const problems = repeated.map((path) => `${path} is given twice; keep one of them`);
  if (unknown.length > 0 && !ignoreUnknownColumns) problems.push(unknownNames(unknown, "members", names));
  return problems;
}

function requireKnown(paths: readonly string[], names: FieldNames): void {
  const unknown = paths.find((path) => names.pathOf(path) === undefined);
  if (unknown !== undefined)
    throw new Error(`The mapping file names "${unknown}", which is no field${names.suggestion(unknown)}`);
}

function unknownNames(unknown: readonly string[], kind: "columns" | "members", names: FieldNames): string {
  return `no field is called ${names.listOf(unknown)}. Rename the ${kind}, say in a mapping file where they go, or add --ignore-unknown-columns`;
}

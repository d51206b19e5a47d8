import { isObject, type ImportResourceName } from "@gatehouse-parking/contract";
import {
  columnRange,
  prepareRows,
  problemsText,
  type ColumnProfile,
  type ColumnRange,
  type FileProfile,
  type Mapping,
  type PrepareOptions,
  type Prepared,
  type SampledRow,
  type ValueCount,
} from "@gatehouse-parking/record-files";
import { commandLineRows } from "./messages.js";

/** Some rows before and after the conversion, and what each column contains. */
export interface Preview {
  rows: PreviewRow[];
  columns: ColumnFacets[];
  /** Columns beyond the maximum. */
  moreColumns: number;
}

export interface PreviewRow {
  line: number;
  /** Unlike: the row has values that are written unlike all before it. */
  why: "first" | "unlike";
  cells: PreviewCell[];
  /** Fields that come from no column, such as constants. */
  added: { path: string; value: unknown }[];
  leftOut?: true;
  problem?: string;
}

/** A cell, and the fields that it goes to. */
export interface PreviewCell {
  column: string;
  raw: string;
  converted: { path: string; value: unknown }[];
  /** False if the mapping leaves the column out. */
  isImported: boolean;
}

/** The distinct values and the empty cells of a column. */
export interface ColumnFacets {
  column: string;
  filled: number;
  empty: number;
  /** Words that count as an empty cell. */
  countsAsEmpty: ValueCount[];
  /** The most frequent values. */
  values: ValueCount[];
  /** Undefined if there are too many to count. */
  differentValues?: number;
  /** Of times and numbers. */
  range?: ColumnRange;
}

const maxFirstRows = 3;
const maxUnlikeRows = 5;
const maxColumns = 200;
const maxValues = 20;

export function previewOf(
  profile: FileProfile,
  tableColumns: readonly string[],
  resource: ImportResourceName,
  options: PrepareOptions,
): Preview {
  const prepare = prepareRows(tableColumns, resource, options);
  const chosen = [
    ...profile.rows.filter(({ why }) => why === "first").slice(0, maxFirstRows),
    ...profile.rows.filter(({ why }) => why === "unlike").slice(0, maxUnlikeRows),
  ];
  const names = profile.columns.slice(0, maxColumns).map(({ name }) => name);
  return {
    rows: chosen.map((sampled) => previewRow(sampled, prepare(sampled.row), names, options.mapping)),
    columns: profile.columns.slice(0, maxColumns).map((column) => facetsOf(column, options.mapping)),
    moreColumns: Math.max(0, profile.columns.length - maxColumns),
  };
}

function previewRow(
  { row, cells, why }: SampledRow,
  prepared: Prepared,
  names: readonly string[],
  mapping: Mapping,
): PreviewRow {
  const record: unknown = prepared.text === undefined ? undefined : JSON.parse(prepared.text);
  const fields = new Map(leavesOf(record));
  const shown = names.map((column, position): PreviewCell => {
    const targets = mapping.columns.get(column);
    const paths = targets?.map(({ to }) => to) ?? [column];
    const converted = [...fields]
      .filter(([path]) => paths.some((target) => path === target || path.startsWith(`${target}.`)))
      .map(([path, value]) => ({ path, value }));
    return { column, raw: cells[position] ?? "", converted, isImported: targets?.length !== 0 };
  });
  const reached = new Set(shown.flatMap(({ converted }) => converted.map(({ path }) => path)));
  const problems = prepared.refusal?.problems;
  return {
    line: row.line,
    why: why === "unlike" ? why : "first",
    cells: shown,
    added: [...fields].filter(([path]) => !reached.has(path)).map(([path, value]) => ({ path, value })),
    ...(prepared.filteredBy ? { leftOut: true } : {}),
    ...(problems ? { problem: problemsText(problems, commandLineRows) } : {}),
  };
}

/** The values of a record by path. Lists are values. */
function leavesOf(value: unknown, path = ""): [string, unknown][] {
  if (!isObject(value)) return path === "" ? [] : [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, path === "" ? name : `${path}.${name}`),
  );
}

function facetsOf(column: ColumnProfile, mapping: Mapping): ColumnFacets {
  const { name, filled, empty, values, hasAllValues } = column;
  const targets = mapping.columns.get(name) ?? [];
  const rules = [mapping.rules, ...targets.map((target) => target.rules)];
  const words = new Set(rules.flatMap((rule) => [...(rule?.empty ?? [])]));
  const isEmptyWord = ({ value }: ValueCount) => words.has(value.trim().toLowerCase());
  const time = rules.findLast((rule) => rule?.time)?.time;
  const number = rules.findLast((rule) => rule?.number)?.number;
  const range = columnRange(column, { empty: words, time, number });
  const others = values.filter((value) => !isEmptyWord(value));
  return {
    column: name,
    filled,
    empty,
    countsAsEmpty: values.filter(isEmptyWord).slice(0, maxValues),
    values: others.slice(0, maxValues),
    ...(hasAllValues ? { differentValues: others.length } : {}),
    ...(range ? { range } : {}),
  };
}

import { maxPathLevels, ObjectLimitError, ObjectReader } from "../../record/record-builder.js";
import { maxColumns, recordColumn, type Row, type Table } from "../../table.js";
import { ColumnProfiler, type ColumnProfile, type TextBudget } from "./column-profile.js";
import { RowSampler, type SampledRow } from "./row-sampler.js";

/** What a whole file contains, in bounded memory. */
export interface FileProfile {
  rowCount: number;
  /** The columns, or the members of JSON records, nested ones with dots. */
  columns: ColumnProfile[];
  /** Some whole rows, in the order of the file. */
  rows: SampledRow[];
}

/** Characters of values that a profile keeps. */
const maxCharacters = 32 * 1024 * 1024;

/** Reads a table to its end. Members of JSON records act as columns, up to the maximum number of columns. */
export async function profileTable({ columns, rows }: Table): Promise<FileProfile> {
  const budget: TextBudget = { left: maxCharacters };
  const profilers = new Map<string, ColumnProfiler>();
  const sampler = new RowSampler();
  const cellsOf = cellReader(columns, profilers, budget);
  let rowCount = 0;
  for await (const row of rows) {
    rowCount += 1;
    const unlike: string[] = [];
    const cells = cellsOf(row);
    for (const [name, cell] of cells) {
      const value = cell.trim();
      if (value !== "" && profilers.get(name)?.add(value)) unlike.push(name);
    }
    sampler.add(row, cells, unlike.length);
  }
  const names = [...profilers.keys()];
  return {
    rowCount,
    columns: [...profilers.values()].map((profiler) => profiler.finish(rowCount)),
    rows: sampler.finish(names),
  };
}

/** Reads the cells of a row by column, and adds a profiler for each new column. */
function cellReader(
  columns: readonly string[],
  profilers: Map<string, ColumnProfiler>,
  budget: TextBudget,
): (row: Row) => [string, string][] {
  const include = (name: string): boolean => {
    if (profilers.has(name)) return true;
    if (profilers.size === maxColumns) return false;
    profilers.set(name, new ColumnProfiler(name, budget));
    return true;
  };
  if (columns.length === 1 && columns[0] === recordColumn)
    return ({ cells }) => membersOf(cells[0] as string).filter(([name]) => include(name));
  for (const name of columns) include(name);
  return ({ cells }) => columns.map((name, position) => [name, cells[position] ?? ""]);
}

/** A record that exceeds the limits fails anyway; the members read so far are used. */
function membersOf(record: string): [string, string][] {
  const found: [string, string][] = [];
  try {
    for (const member of membersByPath(record, [], new ObjectReader())) found.push(member);
  } catch (error) {
    if (!(error instanceof ObjectLimitError)) throw error;
  }
  return found;
}

/** Members below the maximum depth are skipped for the same reason. */
function* membersByPath(
  text: string,
  outer: readonly string[],
  reader: ObjectReader,
): Generator<[string, string]> {
  if (outer.length === maxPathLevels) return;
  for (const [name, value] of reader.membersOf(text) ?? []) {
    const path = [...outer, name];
    if (value.startsWith("{")) yield* membersByPath(value, path, reader);
    else yield [path.join("."), textOf(value)];
  }
}

function textOf(json: string): string {
  if (json === "null") return "";
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

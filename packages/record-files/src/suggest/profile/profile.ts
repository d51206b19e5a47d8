import { maxPathLevels, ObjectLimitError, ObjectReader } from "../../record/record-builder.js";
import { maxColumns, recordColumn, type Row, type Table } from "../../table.js";
import { cleanText } from "../../rows/cell-text.js";
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
export async function profileTable({ columns, rows }: Pick<Table, "columns" | "rows">): Promise<FileProfile> {
  const profiler = new FileProfiler(columns);
  for await (const row of rows) if (!row.problem) profiler.add(row);
  return profiler.finish();
}

/** The profile of rows in memory. */
export function profileRows(columns: readonly string[], rows: readonly Row[]): FileProfile {
  const profiler = new FileProfiler(columns);
  for (const row of rows) profiler.add(row);
  return profiler.finish();
}

class FileProfiler {
  readonly #profilers = new Map<string, ColumnProfiler>();
  readonly #sampler = new RowSampler();
  readonly #cellsOf: (row: Row) => [string, string][];
  #rowCount = 0;

  constructor(columns: readonly string[]) {
    this.#cellsOf = cellReader(columns, this.#profilers, { left: maxCharacters });
  }

  add(row: Row): void {
    this.#rowCount += 1;
    let unlike = 0;
    const cells = this.#cellsOf(row);
    for (const [name, cell] of cells) {
      const profiler = this.#profilers.get(name);
      const value = cleanText(cell);
      if (value === "" ? profiler?.addEmpty() : profiler?.add(value, value !== cell)) unlike += 1;
    }
    this.#sampler.add(row, cells, unlike);
  }

  finish(): FileProfile {
    return {
      rowCount: this.#rowCount,
      columns: [...this.#profilers.values()].map((profiler) => profiler.finish(this.#rowCount)),
      rows: this.#sampler.finish([...this.#profilers.keys()]),
    };
  }
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

import { TooManyMembers } from "@gatehouse-parking/json-text";
import { maxPathLevels } from "../record/assembly.js";
import { membersOf } from "../record/draft.js";
import { maxColumns, recordColumn, type Table } from "../table.js";
import type { ColumnSample } from "./content.js";

/** How many rows are looked at. */
const maxSampleRows = 1_000;

/**
 * The beginning of every column. JSON records have their members for columns, those of objects in them with dots, and no
 * more of them than a table may have.
 */
export async function sampleColumns({ columns, rows }: Table): Promise<ColumnSample[]> {
  const values = new Map<string, string[]>();
  const holdsRecords = columns.length === 1 && columns[0] === recordColumn;
  if (!holdsRecords) for (const name of columns) values.set(name, []);
  let count = 0;
  for await (const { cells } of rows) {
    const members = holdsRecords
      ? columnsOf(cells[0] as string)
      : columns.map((name, position): [string, string] => [name, cells[position] as string]);
    for (const [name, value] of members) {
      const held = values.get(name) ?? [];
      if (!values.has(name) && values.size === maxColumns) continue;
      values.set(name, held);
      if (value.trim() !== "") held.push(value.trim());
    }
    count += 1;
    if (count === maxSampleRows) break;
  }
  return [...values].map(([name, held]) => ({ name, values: held }));
}

/** A record with more members than any may have fails wherever it is sent, and tells nothing. */
function columnsOf(record: string): [string, string][] {
  try {
    return [...membersByPath(record, [])];
  } catch (error) {
    if (error instanceof TooManyMembers) return [];
    throw error;
  }
}

/** What is nested deeper than in any record is passed over for the same reason. */
function* membersByPath(text: string, outer: readonly string[]): Generator<[string, string]> {
  if (outer.length === maxPathLevels) return;
  for (const [name, value] of membersOf(text) ?? []) {
    const path = [...outer, name];
    if (value === "null") continue;
    if (value.startsWith("{")) yield* membersByPath(value, path);
    else yield [path.join("."), value.startsWith('"') ? (JSON.parse(value) as string) : value];
  }
}

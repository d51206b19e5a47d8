import { maxPathLevels, NotTakenApart, ObjectReader } from "../record/draft.js";
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

/** A record that is too large to be taken apart fails wherever it is sent; what was read of it until then has to do. */
function columnsOf(record: string): [string, string][] {
  const found: [string, string][] = [];
  try {
    for (const member of membersByPath(record, [], new ObjectReader())) found.push(member);
  } catch (error) {
    if (!(error instanceof NotTakenApart)) throw error;
  }
  return found;
}

/** What is nested deeper than in any record is passed over for the same reason. */
function* membersByPath(
  text: string,
  outer: readonly string[],
  reader: ObjectReader,
): Generator<[string, string]> {
  if (outer.length === maxPathLevels) return;
  for (const [name, value] of reader.membersOf(text) ?? []) {
    const path = [...outer, name];
    if (value === "null") continue;
    if (value.startsWith("{")) yield* membersByPath(value, path, reader);
    else yield [path.join("."), value.startsWith('"') ? (JSON.parse(value) as string) : value];
  }
}

import { maxPathLevels, ObjectLimitError, ObjectReader } from "../record/record-builder.js";
import { maxColumns, recordColumn, type Table } from "../table.js";
import type { ColumnSample } from "./content.js";

/** The maximum number of sampled rows. */
const maxSampleRows = 1_000;

/**
 * Samples every column. Members of JSON records act as columns, nested ones with dots, up to the maximum
 * number of columns.
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

/** A record that exceeds the limits fails anyway; the members read so far are used. */
function columnsOf(record: string): [string, string][] {
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
    if (value === "null") continue;
    if (value.startsWith("{")) yield* membersByPath(value, path, reader);
    else yield [path.join("."), value.startsWith('"') ? (JSON.parse(value) as string) : value];
  }
}

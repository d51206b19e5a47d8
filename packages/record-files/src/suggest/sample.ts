import { memberTexts } from "@gatehouse-parking/json-text";
import { recordColumn, type Table } from "../table.js";
import type { ColumnSample } from "./content.js";

/** How many rows are looked at. */
const maxSampleRows = 1_000;

/** The beginning of every column. JSON records have their members for columns, those of objects in them with dots. */
export async function sampleColumns({ columns, rows }: Table): Promise<ColumnSample[]> {
  const values = new Map<string, string[]>();
  const holdsRecords = columns.length === 1 && columns[0] === recordColumn;
  if (!holdsRecords) for (const name of columns) values.set(name, []);
  let count = 0;
  for await (const { cells } of rows) {
    const members = holdsRecords
      ? membersOf(cells[0] as string, "")
      : columns.map((name, position): [string, string] => [name, cells[position] as string]);
    for (const [name, value] of members) {
      const held = values.get(name) ?? [];
      values.set(name, held);
      if (value.trim() !== "") held.push(value.trim());
    }
    count += 1;
    if (count === maxSampleRows) break;
  }
  return [...values].map(([name, held]) => ({ name, values: held }));
}

function membersOf(text: string, prefix: string): [string, string][] {
  return [...(memberTexts(text) ?? [])].flatMap(([name, value]): [string, string][] => {
    const path = prefix + name;
    if (typeof value !== "string" || value === "null") return [];
    if (value.startsWith("{")) return membersOf(value, `${path}.`);
    return [[path, value.startsWith('"') ? (JSON.parse(value) as string) : value]];
  });
}

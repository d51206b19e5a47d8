import { decidingValues } from "./column-profile.js";
import { profileRows, type FileProfile } from "./profile.js";

/** Values of one column that decide how it is written. */
export interface ColumnSample {
  name: string;
  values: readonly string[];
}

export function columnSamples({ columns }: FileProfile): ColumnSample[] {
  return columns.map((column) => ({ name: column.name, values: decidingValues(column) }));
}

/** A profile of columns of which only values are known. */
export function profileOfSamples(samples: readonly ColumnSample[]): FileProfile {
  const count = Math.max(0, ...samples.map(({ values }) => values.length));
  const rows = Array.from({ length: count }, (_, index) => ({
    line: index + 2,
    cells: samples.map(({ values }) => values[index] ?? ""),
  }));
  return profileRows(
    samples.map(({ name }) => name),
    rows,
  );
}

/** One thing that is wrong with a row, so that it cannot be sent. */
export interface RowProblem {
  /** The field; "" if it is about the row as a whole. */
  path: string;
  /** What was in the file. */
  value?: string;
  /** The same for all rows that have it, whatever their values. */
  problem: string;
  /** How a mapping file or a flag settles it. Pages have their own ways. */
  advice?: string;
  /** All of it as a sentence. */
  text: string;
}

/** A problem of a field whose value does not matter. */
export function problemOf(path: string, problem: string): RowProblem {
  return { path, problem, text: path === "" ? problem : `${path} ${problem}` };
}

const maxShownLength = 80;

/** A value as messages show it. */
export function shown(value: string): string {
  return JSON.stringify(value.length > maxShownLength ? `${value.slice(0, maxShownLength)}...` : value);
}

import type { Row } from "../../table.js";

/** A whole row, with its cells in the order of the profile's columns. */
export interface SampledRow {
  row: Row;
  cells: string[];
  why: "first" | "spread" | "unlike";
}

const maxFirst = 20;
const maxSpread = 200;
const maxUnlike = 100;
/** Larger rows are not sampled. */
const maxCharacters = 16 * 1024;

interface Held {
  row: Row;
  cells: Map<string, string>;
  why: SampledRow["why"];
  /** The position in the file. */
  position: number;
}

/** Keeps the first rows of a file, evenly spread ones, and the rows that differ from those before them. */
export class RowSampler {
  readonly #first: Held[] = [];
  #spread: Held[] = [];
  #step = 1;
  readonly #unlike: Held[] = [];
  #count = 0;

  /** `unlikeCells` is the number of cells whose column has had no value like them. */
  add(row: Row, cells: readonly [string, string][], unlikeCells: number): void {
    const position = this.#count;
    this.#count += 1;
    const isFirst = this.#first.length < maxFirst;
    const isDue = !isFirst && position % this.#step === 0;
    const isUnlike = !isFirst && unlikeCells > 0 && this.#unlike.length < maxUnlike;
    if (!isFirst && !isDue && !isUnlike) return;
    if (row.cells.reduce((sum, cell) => sum + cell.length, 0) > maxCharacters) return;
    const held = { row, cells: new Map(cells), position };
    if (isFirst) this.#first.push({ ...held, why: "first" });
    else if (isUnlike) this.#unlike.push({ ...held, why: "unlike" });
    else {
      this.#spread.push({ ...held, why: "spread" });
      if (this.#spread.length > 2 * maxSpread) this.#thin();
    }
  }

  /** Keeps every second one, so that the rest stays evenly spread over the rows read so far. */
  #thin(): void {
    this.#step *= 2;
    this.#spread = this.#spread.filter(({ position }) => position % this.#step === 0);
  }

  finish(names: readonly string[]): SampledRow[] {
    return [...this.#first, ...this.#spread, ...this.#unlike]
      .toSorted((one, other) => one.position - other.position)
      .map(({ row, cells, why }) => ({ row, why, cells: names.map((name) => cells.get(name) ?? "") }));
  }
}

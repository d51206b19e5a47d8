import { shapeOf } from "../header/look.js";
import type { Row } from "../table.js";

/** Enough rows to know which columns are always filled and what their values look like. */
const learnedRows = 200;
/** A column with more shapes holds free text, which any cell could be. */
const maxShapes = 40;

/** What the first rows have in common. */
export class ColumnProfile {
  #rows = 0;
  #alwaysFilled: number[];
  readonly #shapes: (Set<string> | "any")[];

  constructor(width: number) {
    this.#alwaysFilled = Array.from({ length: width }, (_, column) => column);
    this.#shapes = this.#alwaysFilled.map(() => new Set());
  }

  get isEmpty(): boolean {
    return this.#rows === 0;
  }

  /** Whether a value with another shape stands out. */
  get isMeaningful(): boolean {
    return this.#rows >= 3;
  }

  learn({ cells }: Row): void {
    if (this.#rows === learnedRows) return;
    this.#rows += 1;
    this.#alwaysFilled = this.#alwaysFilled.filter((column) => isFilled(cells[column]));
    for (const [column, shapes] of this.#shapes.entries()) {
      const cell = cells[column];
      if (shapes === "any" || !isFilled(cell)) continue;
      shapes.add(shapeOf(cell));
      if (shapes.size > maxShapes) this.#shapes[column] = "any";
    }
  }

  /** Whether a column is blank that was filled in all rows before. */
  lacks(cells: readonly string[]): boolean {
    for (const column of this.#alwaysFilled) if (!isFilled(cells[column])) return true;
    return this.#alwaysFilled.length === 0 && !cells.some(isFilled);
  }

  /** Whether at least half of the columns are blank that were filled in all rows before. */
  lacksMost(cells: readonly string[]): boolean {
    const blank = this.#alwaysFilled.filter((column) => !isFilled(cells[column])).length;
    return blank > 0 && blank * 2 >= this.#alwaysFilled.length;
  }

  /** Whether a value in this column has looked like the cell. */
  knowsShape(column: number, cell: string): boolean {
    const shapes = this.#shapes[column];
    return shapes === "any" || (shapes?.has(shapeOf(cell)) ?? false);
  }
}

export function isFilled(cell: string | undefined): cell is string {
  return cell !== undefined && cell !== "" && cell.trim() !== "";
}

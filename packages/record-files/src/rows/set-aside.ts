import type { ReadingFact } from "../refusals.js";
import type { Row } from "../table.js";

/** A line of a file that is not a record, such as a total or a note. */
export interface AsideLine {
  line: number;
  text: string;
}

/** How many of these lines are shown; the others are counted. */
const maxShownLines = 20;
const maxShownLength = 200;

/** The lines that were not read as records. */
export class SetAside {
  count = 0;
  readonly lines: AsideLine[] = [];

  add({ line, cells }: Row): void {
    this.count += 1;
    if (this.lines.length === maxShownLines) return;
    const text = cells.filter((cell) => cell.trim() !== "").join(" | ");
    this.lines.push({ line, text: text.slice(0, maxShownLength) });
  }

  facts(): ReadingFact[] {
    const { count, lines } = this;
    return count === 0 ? [] : [{ code: "setAside", data: { count, lines } }];
  }
}

/** How many lines were not read as records. */
export function setAsideCount(facts: readonly ReadingFact[]): number {
  return facts.reduce((sum, fact) => sum + (fact.code === "setAside" ? fact.data.count : 0), 0);
}

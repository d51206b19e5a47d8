import type { ReadingFact } from "../refusals.js";

/** What the rows of a sheet do not show: below the header, hidden rows, merged cells and formulas without a value. */
export class SheetNotes {
  readonly #firstLine: number;
  #hidden = { count: 0, line: 0 };
  #merged = { count: 0, range: "" };
  #unknown = { count: 0, cell: "" };

  constructor(firstLine: number) {
    this.#firstLine = firstLine;
  }

  addHidden(line: number): void {
    if (line < this.#firstLine) return;
    this.#hidden = { count: this.#hidden.count + 1, line: this.#hidden.line || line };
  }

  /** Only the first row of a merged range has its value. */
  addMerged(range: string): void {
    const [first, last] = [...range.matchAll(/\d{1,7}/g)].map(([line]) => Number(line));
    if (first === undefined || last === undefined || first < this.#firstLine || last === first) return;
    this.#merged = { count: this.#merged.count + 1, range: this.#merged.range || range.slice(0, 30) };
  }

  addUnknown(line: number, cell: string): void {
    if (line < this.#firstLine) return;
    this.#unknown = { count: this.#unknown.count + 1, cell: this.#unknown.cell || cell.slice(0, 30) };
  }

  facts(): ReadingFact[] {
    const facts: ReadingFact[] = [
      { code: "hiddenRows", data: this.#hidden },
      { code: "mergedCells", data: this.#merged },
      { code: "unknownFormulas", data: this.#unknown },
    ];
    return facts.filter(({ data }) => "count" in data && data.count > 0);
  }
}

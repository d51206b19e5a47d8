import type { Row } from "./table.js";

const maxHeaderRow = 10;

/**
 * Titles and dates of reports stand above the header and have fewer cells. The header is the first of the rows at the top
 * that is nearly as full as the fullest of them, and that holds names: no numbers, nothing twice.
 */
export function recognizeHeader(rows: readonly Row[]): number {
  const top = rows.slice(0, maxHeaderRow);
  const fullest = Math.max(0, ...top.map(({ cells }) => filledOf(cells).length));
  const isHeader = ({ cells }: Row): boolean => {
    const names = filledOf(cells).map((cell) => cell.trim());
    return (
      names.length >= fullest * 0.8 &&
      new Set(names).size === names.length &&
      names.every((name) => /\p{L}/u.test(name))
    );
  };
  // The first row is the header unless it is plainly a title; what is wrong with it is said when it is read.
  const first = top[0];
  if (!first || filledOf(first.cells).length > fullest / 2) return first?.line ?? 1;
  return top.find(isHeader)?.line ?? first.line;
}

function filledOf(cells: readonly string[]): string[] {
  return cells.filter((cell) => cell.trim() !== "");
}

import { harmlessCell } from "./formulas.js";

/** CSV for spreadsheets. */
const needsQuotes = /[",;\r\n\t']|^\s|\s$/;
/** Excel takes a file for UTF-8 only if it begins with this. */
export const byteOrderMark = "\ufeff";

export type Cell = string | number | boolean | null | undefined;

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  const text = String(cell);
  const harmless = typeof cell === "string" ? harmlessCell(text) : text;
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * CSV for spreadsheets. A cell that begins like a formula would be run by them, and what is in these files was typed
 * by strangers; such a cell gets a leading apostrophe, which spreadsheets show as text (CWE-1236).
 */
const beginsLikeFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
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
  const harmless = typeof cell === "string" && beginsLikeFormula.test(text) ? `'${text}` : text;
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

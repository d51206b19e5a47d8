import type { Row } from "../table.js";
import { crossTabOf } from "./cross-tab.js";
import { commonLook, isDataLook, isLabelRow, lookOf } from "./look.js";

/** Where the header is. */
export interface HeaderPlace {
  /** The first line of the header, or of the records if there is none. */
  headerLine: number;
  /** 0 for a file without a header, 2 for a row of groups above a row of names. */
  headerRows: number;
}

const maxHeaderRow = 10;

type KnownPlace = { [Part in keyof HeaderPlace]?: HeaderPlace[Part] | undefined };

export function recognizeHeader(rows: readonly Row[], told: KnownPlace = {}): HeaderPlace {
  if (told.headerLine !== undefined) return { headerLine: told.headerLine, headerRows: told.headerRows ?? 1 };
  const place = findHeader(rows);
  return { ...place, headerRows: told.headerRows ?? place.headerRows };
}

/**
 * Titles and dates of reports come before the header and have fewer cells. The header is the first of the top
 * rows that is nearly as full as the fullest one and contains only names.
 */
function findHeader(rows: readonly Row[]): HeaderPlace {
  const top = rows.slice(0, maxHeaderRow);
  const fullest = Math.max(0, ...top.map(({ cells }) => filledOf(cells).length));
  const first = top[0];
  if (!first) return { headerLine: 1, headerRows: 1 };
  // The first row is the header unless it is clearly a title. The reader reports what is wrong with it.
  const isTitle = filledOf(first.cells).length <= fullest / 2;
  const position = Math.max(0, isTitle ? top.findIndex((row) => holdsNames(row, fullest)) : 0);
  for (let above = 0; above <= position; above += 1)
    if (groupsNames(rows.slice(above))) return { headerLine: (top[above] as Row).line, headerRows: 2 };
  const { line, cells } = top[position] as Row;
  return { headerLine: line, headerRows: isRecord(cells, rows.slice(position + 1)) ? 0 : 1 };
}

function filledOf(cells: readonly string[]): string[] {
  return cells.filter((cell) => cell.trim() !== "");
}

function holdsNames({ cells }: Row, fullest: number): boolean {
  const names = filledOf(cells);
  return (
    names.length >= fullest * 0.8 &&
    new Set(names.map((name) => name.trim())).size >= names.length * 0.6 &&
    names.every((name) => /\p{L}/u.test(name))
  );
}

/**
 * Whether the first row groups the names in the second. A group spans several columns, and the names repeat or leave
 * gaps for names that span both rows. Otherwise the first row is a title.
 */
function groupsNames([groups, names, ...below]: readonly Row[]): boolean {
  if (!groups || !names || !isLabelRow(groups.cells) || !isLabelRow(names.cells)) return false;
  if (below.length > 0 && !isAboveData(names.cells, below)) return false;
  const spans: number[] = [];
  let alone = 0;
  let isOpen = false;
  for (let column = 0; column < Math.max(groups.cells.length, names.cells.length); column += 1) {
    const isGroup = isFilled(groups.cells[column]);
    if (!isFilled(names.cells[column])) {
      if (isGroup) alone += 1;
      isOpen = false;
    } else if (isGroup) {
      spans.push(1);
      isOpen = true;
    } else if (isOpen) spans.push((spans.pop() ?? 0) + 1);
  }
  const filled = filledOf(names.cells);
  const repeats = new Set(filled.map((name) => name.trim())).size < filled.length;
  return (
    spans.some((span) => span > 1) &&
    spans.length + alone > 1 &&
    (repeats || alone > 0 || spans.every((span) => span > 1))
  );
}

function isFilled(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== "";
}

/** Whether data begins below names: a column of numbers, times or codes below a word. */
function isAboveData(names: readonly string[], below: readonly Row[]): boolean {
  return names.some(
    (name, column) => lookOf(name) === "words" && isDataLook(commonLook(cellsOf(below, column))),
  );
}

function cellsOf(rows: readonly Row[], column: number): string[] {
  return rows.map(({ cells }) => cells[column] ?? "");
}

/** Whether the first row is a record: it looks like the rows below, and no cell is a name above data. */
function isRecord(cells: readonly string[], below: readonly Row[]): boolean {
  if (crossTabOf(cells)) return false;
  let filled = 0;
  let alike = 0;
  let isTyped = false;
  for (const [column, cell] of cells.entries()) {
    const look = lookOf(cell);
    if (look === "blank") continue;
    filled += 1;
    const others = cellsOf(below, column);
    const common = below.length === 0 ? look : commonLook(others);
    if (!isDataLook(look) && isDataLook(common)) return false;
    if (isDataLook(look) && look === common) {
      alike += 1;
      isTyped ||= look !== "code" || below.length > 0;
    } else if (look === "words" && others.some((other) => other.trim() === cell.trim())) alike += 1;
  }
  return isTyped && alike * 2 >= filled && (below.length > 0 || alike === filled);
}

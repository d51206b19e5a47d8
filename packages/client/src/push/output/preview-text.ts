import type { ColumnFacets, Preview, PreviewCell, PreviewRow } from "../preview.js";
import { count } from "./progress.js";
import { cut, terminalWidth, wrapped } from "./text-layout.js";

/** More columns than a person reads in a terminal. --json has more. */
const maxShownColumns = 60;
const maxShownValues = 8;
const columnWidth = 20;
const cellWidth = 26;

export function previewLines({ rows, columns, moreColumns }: Preview): string[] {
  const unshown = Math.max(0, columns.length - maxShownColumns) + moreColumns;
  return [
    ...rows.flatMap(rowLines),
    "Columns:",
    ...columns.slice(0, maxShownColumns).flatMap(facetLines),
    ...(unshown > 0 ? [`  and ${count(unshown)} more columns`] : []),
  ];
}

function rowLines({ line, why, cells, added, leftOut, problem }: PreviewRow): string[] {
  const filled = cells.filter(({ raw }) => raw.trim() !== "").slice(0, maxShownColumns);
  return [
    `Line ${line}${why === "unlike" ? ", unlike the rows before it" : ""}${leftOut ? ", left out" : ""}:`,
    ...filled.flatMap(cellLines),
    ...added.flatMap((field) => fieldLines("(added)", "", field)),
    ...(problem === undefined ? [] : wrapped(`problem: ${problem}`, "  ", "    ")),
  ];
}

/** One line for each field that the cell goes to. */
function cellLines({ column, raw, converted, isImported }: PreviewCell): string[] {
  const [first, ...others] = converted;
  if (!first) return [`  ${label(column)} ${cut(raw, cellWidth)}${isImported ? "" : "  (not imported)"}`];
  return [...fieldLines(column, raw, first), ...others.flatMap((field) => fieldLines("", "", field))];
}

function fieldLines(
  column: string,
  raw: string,
  { path, value }: PreviewCell["converted"][number],
): string[] {
  const shown = typeof value === "string" ? cut(value, cellWidth) : JSON.stringify(value);
  const from = `  ${label(column)} ${(raw === "" ? "" : cut(raw, cellWidth)).padEnd(cellWidth + 2)}`;
  const to = `${path} = ${shown}`;
  const both = `${from} ${to}`;
  return both.length <= terminalWidth ? [both] : [from.trimEnd(), `${" ".repeat(columnWidth + 3)}${to}`];
}

function label(column: string): string {
  return (column.length > columnWidth ? `${column.slice(0, columnWidth - 3)}...` : column).padEnd(
    columnWidth,
  );
}

function facetLines({
  column,
  filled,
  empty,
  countsAsEmpty,
  values,
  differentValues,
  range,
}: ColumnFacets): string[] {
  const areDifferent = differentValues !== undefined && differentValues === filled && filled > 1;
  const kinds = areDifferent
    ? "all different"
    : `${differentValues === undefined ? "many" : count(differentValues)} different`;
  const shown = values
    .slice(0, maxShownValues)
    .map(({ value, count: rows }) => (areDifferent ? cut(value) : `${cut(value)} (${count(rows)})`));
  const such = shown.length === 0 ? "" : `: ${shown.join(", ")}`;
  const rest = values.length > shown.length || differentValues === undefined ? ", ..." : "";
  const empties = countsAsEmpty.map(({ value, count: rows }) => `${cut(value)} (${count(rows)})`);
  return [
    ...wrapped(
      `${label(column)} ${count(filled)} filled, ${count(empty)} empty, ${kinds}${such}${rest}`,
      "  ",
      " ".repeat(columnWidth + 3),
    ),
    ...(range
      ? wrapped(
          `from ${cut(range.smallest)} to ${cut(range.largest)}`,
          " ".repeat(columnWidth + 3),
          " ".repeat(columnWidth + 5),
        )
      : []),
    ...(empties.length === 0
      ? []
      : wrapped(
          `counts as empty: ${empties.join(", ")}`,
          " ".repeat(columnWidth + 3),
          " ".repeat(columnWidth + 5),
        )),
  ];
}

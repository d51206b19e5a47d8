import type { UploadFailure } from "@gatehouse-parking/contract/console";

/** A value of a column that is replaced in every failed row. */
export interface Replacement {
  /** The position of the column. */
  column: number;
  from: string;
  to: string;
}

/** What a person has changed in failed rows and not sent yet. Single cells take precedence over replacements. */
export interface Corrections {
  /** New cells by row and column. */
  cells: ReadonlyMap<number, ReadonlyMap<number, string>>;
  replacements: readonly Replacement[];
}

export const noCorrections: Corrections = { cells: new Map(), replacements: [] };

export function hasCorrections({ cells, replacements }: Corrections): boolean {
  return cells.size > 0 || replacements.length > 0;
}

type Row = Pick<UploadFailure, "row" | "cells">;

/** The cells of a row as they would be sent. */
export function correctedCells({ cells, replacements }: Corrections, { row, cells: stored }: Row): string[] {
  const edited = cells.get(row);
  return stored.map((cell, column) => edited?.get(column) ?? replaced(replacements, column, cell));
}

function replaced(replacements: readonly Replacement[], column: number, cell: string): string {
  return replacements.find((one) => one.column === column && one.from === cell)?.to ?? cell;
}

export function editCell(corrections: Corrections, row: Row, column: number, value: string): Corrections {
  const own = new Map(corrections.cells.get(row.row));
  own.set(column, value);
  if (value === replaced(corrections.replacements, column, row.cells[column] ?? "")) own.delete(column);
  const cells = new Map(corrections.cells);
  if (own.size === 0) cells.delete(row.row);
  else cells.set(row.row, own);
  return { ...corrections, cells };
}

/** Replaces a stored value of a column in all rows by the value that was entered in this row. */
export function replaceAll(corrections: Corrections, row: Row, column: number): Corrections {
  const from = row.cells[column] ?? "";
  const to = corrections.cells.get(row.row)?.get(column) ?? from;
  const others = corrections.replacements.filter((one) => one.column !== column || one.from !== from);
  return editCell({ ...corrections, replacements: [...others, { column, from, to }] }, row, column, to);
}

export function removeReplacement(corrections: Corrections, removed: Replacement): Corrections {
  return { ...corrections, replacements: corrections.replacements.filter((one) => one !== removed) };
}

/** Without the cells of rows that were sent. Replacements stay until all rows have been sent. */
export function withoutRows(corrections: Corrections, rows: readonly number[]): Corrections {
  const sent = new Set(rows);
  return { ...corrections, cells: new Map([...corrections.cells].filter(([row]) => !sent.has(row))) };
}

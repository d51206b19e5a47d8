import { parseTimestamp, readDecimal } from "@gatehouse-parking/contract";
import type { JsonRecord } from "@gatehouse-parking/json-text";
import type { BinaryRows } from "../../database/copy-binary.js";
import type { Column } from "../../entities/columns.js";

/** Appends the values of an object's columns to a row. */
export function encodeColumns(
  rows: BinaryRows,
  columns: readonly Column[],
  object: Record<string, unknown>,
  source: JsonRecord,
): void {
  for (const column of columns) {
    const value = object[column.field] ?? column.default;
    if (value === undefined || value === null) rows.addNull();
    else encodeValue(rows, column, value, source);
  }
}

function encodeValue(rows: BinaryRows, column: Column, value: unknown, source: JsonRecord): void {
  switch (column.kind) {
    case "text":
      return rows.addText(value as string);
    case "flag":
      return rows.addFlag(value === true);
    case "timestamp":
      return rows.addTimestamp(parseTimestamp(value as string, true) as number);
    case "amount":
      return rows.addNumeric(spellingOf(value as number, source.numberSpelling(column.path)));
    case "json":
      return rows.addText(source.textAt(column.path) as string);
    case "choice":
      return rows.addSmallint(value as number);
    case "integer":
      return rows.addInteger(value as number);
  }
}

/** As it was sent; but a zero may be spelled with an exponent that has no end. */
function spellingOf(value: number, spelling: string | undefined): string {
  return spelling === undefined || (value === 0 && readDecimal(spelling).isZero) ? String(value) : spelling;
}

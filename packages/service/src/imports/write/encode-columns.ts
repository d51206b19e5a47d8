import { parseTimestamp, readDecimal } from "@gatehouse-parking/contract";
import { copyNull, copyText, sqlTimestamp, type CopyLine, type CopyValue } from "../../database/copy-text.js";
import type { Column } from "../../entities/columns.js";
import type { JsonRecord } from "@gatehouse-parking/json-text";

/** Appends the values of an object's columns to a line of COPY. */
export function encodeColumns(
  line: CopyLine,
  columns: readonly Column[],
  object: Record<string, unknown>,
  source: JsonRecord,
): void {
  for (const column of columns) {
    const value = object[column.field] ?? column.default;
    line.add(value === undefined || value === null ? copyNull : encodeValue(column, value, source));
  }
}

function encodeValue(column: Column, value: unknown, source: JsonRecord): CopyValue {
  switch (column.kind) {
    case "text":
      return copyText(value as string);
    case "flag":
      return value === true ? "t" : "f";
    case "timestamp":
      return encodeTimestamp(value as string);
    case "amount":
      return amountText(value as number, source.numberSpelling(column.path));
    case "json":
      return copyText(source.textAt(column.path) as string);
    case "integer":
      return String(value);
  }
}

/** PostgreSQL reads UTC with up to milliseconds just as we do; anything else is converted first. */
function encodeTimestamp(text: string): CopyValue {
  const isPlain =
    text.length <= "2026-04-01T14:30:00.000Z".length && text.endsWith("Z") && !text.startsWith("0000");
  return isPlain ? text : sqlTimestamp(parseTimestamp(text, true) as number);
}

/** As spelled; but a zero may be spelled with an exponent that PostgreSQL does not read. */
function amountText(value: number, spelling: string | undefined): CopyValue {
  return spelling === undefined || (value === 0 && readDecimal(spelling).isZero) ? String(value) : spelling;
}

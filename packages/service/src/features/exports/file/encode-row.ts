import { UserError } from "../../../core/refusals/user-error.js";
import { MalformedJson } from "@gatehouse-parking/json-text";
import { copyHex, copyNull, copyText, type CopyValue } from "../../../core/database/copy-text.js";
import { readRow } from "../../../core/stored-tables/read-row.js";
import type { FieldKind, RowValues, Section } from "../../../core/stored-tables/section.js";
import { refuse } from "./read-export.js";
import type { Line } from "./read-lines.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export interface EncodedRow {
  /** A line for COPY, without the organization. */
  values: CopyValue[];
  /** The newest uuid in the key. If its time is in the future, a clock is wrong. */
  newest: string;
}

export function columnsOf({ fields, computed = [] }: Section): string[] {
  return [...fields.map(({ column }) => column), ...computed.map(({ column }) => column)];
}

/** Turns a line into a row of its table. The error for an invalid line names its number, section and field. */
export function encodeRow(section: Section, line: Line): EncodedRow {
  const { fields, computed = [] } = section;
  const values = valuesOf(section, line);
  const encoded = fields.map(({ name, kind }) => encodeValue(kind, values.get(name) ?? null));
  return {
    values: [...encoded, ...computed.map(({ value }) => value(values))],
    newest: keyOf(section, values, "uuid").toSorted().at(-1) ?? "",
  };
}

/** The values of the line's key, as text; `type` selects only columns of that type. */
export function keyOf({ key, fields }: Section, values: RowValues, type?: string): string[] {
  return key
    .filter((column) => type === undefined || column.type === type)
    .map(({ name }) => values.get(fields.find(({ column }) => column === name)?.name ?? "") ?? "");
}

export function valuesOf(section: Section, line: Line): RowValues {
  try {
    return readRow(section, decoder.decode(line.bytes));
  } catch (error) {
    if (error instanceof UserError) refuse(line, error.message, section);
    if (error instanceof MalformedJson) refuse(line, `it is not valid JSON. ${error.message}`, section);
    if (error instanceof TypeError) refuse(line, "it is not valid UTF-8", section);
    throw error;
  }
}

function encodeValue(kind: FieldKind, value: string | null): CopyValue {
  if (value === null) return copyNull;
  return kind === "bytes" ? copyHex(value) : copyText(value);
}

import { exactJson, jsonLine } from "@gatehouse-parking/json-text";
import { byteOrderMark, csvLine, type Cell } from "./csv.js";

/**
 * How the rows of a list are written to a file. It follows from the schema of a row, so that a field that is added to a
 * list is in its export as well.
 */
export interface RowFormat<Row> {
  heading: string;
  toLine: (row: Row) => string;
}

export type ExportFormat = "csv" | "ndjson";

interface Schema {
  type?: unknown;
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  "x-json"?: true;
}

type Column = [heading: string, read: (row: unknown) => Cell];
type Fields = Record<string, unknown>;

/** `without`: fields that mean something to the pages alone. */
export function rowFormat<Row>(
  item: object,
  format: ExportFormat,
  { without = [] as readonly string[] } = {},
): RowFormat<Row> {
  const properties = Object.entries((item as Schema).properties ?? {}).filter(
    ([name]) => !without.includes(name),
  );
  if (format === "csv") return csvFormat(properties.flatMap(([name, schema]) => columnsOf(name, schema)));
  const names = properties.map(([name, schema]) => ({ name, isJson: schema["x-json"] === true }));
  return {
    heading: "",
    toLine: (row) =>
      jsonLine(
        Object.fromEntries(names.map(({ name, isJson }) => [name, toJson((row as Fields)[name], isJson)])),
      ),
  };
}

/** Rows that are flat already, with these fields. */
export function flatRowFormat<Row extends object>(
  names: readonly string[],
  format: ExportFormat,
): RowFormat<Row> {
  return rowFormat({ properties: Object.fromEntries(names.map((name) => [name, {}])) }, format);
}

function csvFormat<Row>(columns: readonly Column[]): RowFormat<Row> {
  return {
    heading: byteOrderMark + csvLine(columns.map(([heading]) => heading)),
    toLine: (row) => csvLine(columns.map(([, read]) => read(row))),
  };
}

/** An object is as many columns as it has fields: `apiKey` becomes apiKeyUuid, apiKeyName and apiKeyPrefix. */
function columnsOf(name: string, schema: Schema): Column[] {
  const inner = [schema, ...(schema.anyOf ?? [])].find(({ properties }) => properties)?.properties;
  const read = (row: unknown): unknown => (row as Fields | null | undefined)?.[name];
  if (!inner) return [[name, (row) => toCell(read(row))]];
  return Object.entries(inner).flatMap(([field, fieldSchema]) =>
    columnsOf(field, fieldSchema).map(([heading, readField]): Column => [
      name + heading.charAt(0).toUpperCase() + heading.slice(1),
      (row) => readField(read(row)),
    ]),
  );
}

function toCell(value: unknown): Cell {
  if (Array.isArray(value)) return value.map((item) => toCell(item)).join(" ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value as Cell);
}

/** What is JSON already goes in as it is. */
function toJson(value: unknown, isJson: boolean): unknown {
  return isJson && typeof value === "string" ? exactJson(value) : value;
}

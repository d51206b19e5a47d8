import { exactJson, jsonLine } from "@gatehouse-parking/json-text";

/**
 * How the rows of a list are written to a file. The columns come from the row's schema, so a new field of a list is
 * exported too.
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

/** `without`: fields that only the console uses. */
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

/** Rows that are already flat, with these fields. */
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

/** Each field of an object is a column: `apiKey` becomes apiKeyUuid, apiKeyName and apiKeyPrefix. */
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

/** Values that are already JSON are inserted unchanged. */
function toJson(value: unknown, isJson: boolean): unknown {
  return isJson && typeof value === "string" ? exactJson(value) : value;
}

/** CSV for spreadsheets. */
const needsQuotes = /[",;\r\n\t']|^\s|\s$/;
/** Excel reads a file as UTF-8 only with this byte order mark. */
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

/**
 * Spreadsheets execute cells that look like formulas, and strangers typed the values in these files. An apostrophe
 * makes such a cell text (CWE-1236). Where the list separator is not a comma, spreadsheets also split cells at their
 * separator and at line breaks, even in quotes. So text after any of these is guarded too.
 */
interface Beginnings {
  /** The beginning of the cell. */
  begin: RegExp;
  /** From a separator to the sign. Another separator restarts the match, so matching takes linear time. */
  inside: RegExp;
}
const bare: Beginnings = {
  begin: /^()(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/,
  inside: /([;|\t\r\n][^\S\t\r\n]*"*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
};
/** Including apostrophes that are already there. */
const quoted: Beginnings = {
  begin: /^('*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/,
  inside: /([;|\t\r\n][^\S\t\r\n]*["']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
};
const guarded: Beginnings = {
  begin: /^('+)(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/,
  inside: /([;|\t\r\n][^\S\t\r\n]*["']*')(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
};

/** Marks text that looks like a formula. */
export function harmlessCell(cell: string): string {
  return cell.replaceAll(bare.inside, "$1'").replace(bare.begin, "'");
}

/**
 * For cells that are imported again later. An apostrophe is added even if the cell already begins with one, so that
 * the added one can be identified.
 */
export function guardedCell(cell: string): string {
  return cell.replaceAll(quoted.inside, "$1'").replace(quoted.begin, "$1'");
}

/** Removes the guard from a cell. */
export function unguardedCell(cell: string): string {
  const withoutOne = (apostrophes: string): string => apostrophes.slice(0, -1);
  return cell.replaceAll(guarded.inside, withoutOne).replace(guarded.begin, withoutOne);
}

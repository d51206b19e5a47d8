import { exactJson, jsonLine } from "@gatehouse-parking/json-text";

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

/**
 * A spreadsheet runs what begins like a formula, and what is in our files was typed by strangers. An apostrophe before
 * it makes it text (CWE-1236). Where the list separator is not a comma, a spreadsheet splits cells of ours at theirs, and
 * at line breaks, whatever is quoted; so what follows any of them is a beginning as well.
 */
interface Beginnings {
  /** Where the cell begins. */
  begin: RegExp;
  /** From a separator on, up to the sign. Further separators begin again, so that looking takes no longer than reading. */
  inside: RegExp;
}
const bare: Beginnings = {
  begin: /^()(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/,
  inside: /([;|\t\r\n][^\S\t\r\n]*"*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
};
/** With apostrophes that stand there already. */
const quoted: Beginnings = {
  begin: /^('*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/,
  inside: /([;|\t\r\n][^\S\t\r\n]*["']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
};
const guarded: Beginnings = {
  begin: /^('+)(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/,
  inside: /([;|\t\r\n][^\S\t\r\n]*["']*')(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
};

/** What looks like a formula, as text. */
export function harmlessCell(cell: string): string {
  return cell.replaceAll(bare.inside, "$1'").replace(bare.begin, "'");
}

/**
 * The same for cells that are read back later. The added apostrophe can be told from the cell's own: one is added even
 * where the cell begins with some.
 */
export function guardedCell(cell: string): string {
  return cell.replaceAll(quoted.inside, "$1'").replace(quoted.begin, "$1'");
}

/** The cell that was guarded. */
export function unguardedCell(cell: string): string {
  const withoutOne = (apostrophes: string): string => apostrophes.slice(0, -1);
  return cell.replaceAll(guarded.inside, withoutOne).replace(guarded.begin, withoutOne);
}

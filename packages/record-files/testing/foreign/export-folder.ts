import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { ImportResourceName, Location } from "@gatehouse-parking/contract";

/** What a person who knows the foreign system can tell. exports/README.md explains the members. */
export interface Facts {
  system: string;
  resource: ImportResourceName;
  refused?: string;
  locations: Location[];
  columns?: Record<string, string[] | "metadata">;
  moments?: Record<string, string[]>;
  zone?: string;
  dates?: "day first" | "month first";
  decimal?: string;
  amounts?: string | Record<string, string>;
  values?: Record<string, Record<string, unknown>>;
  empty?: Record<string, string[]>;
  "leave out"?: Record<string, string[]>;
  always?: Record<string, unknown>;
  id?: { columns?: string[]; hash?: boolean };
  names?: "first last" | "last first";
  invalid?: Record<string, string>;
  "no time of day"?: Record<string, string>;
  optional?: string[];
}

/** One row of the file and its record; null if the row must not be stored. */
export interface Truth {
  line: number;
  record: Record<string, unknown> | null;
  because?: string;
}

export interface ForeignExport {
  name: string;
  /** The name of the file, which ends in its extension. */
  fileName: string;
  bytes: Uint8Array;
  facts: Facts;
  truth: Truth[];
}

const folder = fileURLToPath(new URL("../../exports", import.meta.url));

export function foreignExports(): ForeignExport[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readExport(name))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

function readExport(name: string): ForeignExport {
  const at = (file: string) => path.join(folder, name, file);
  const fileName = readdirSync(at("")).find((file) => file.startsWith("export.")) ?? "";
  const lines = readFileSync(at("truth.ndjson"), "utf8").split("\n");
  return {
    name,
    fileName,
    bytes: readFileSync(at(fileName)),
    facts: JSON.parse(readFileSync(at("answers.json"), "utf8")) as Facts,
    truth: lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Truth),
  };
}

/** The facts with the names that the product gives to columns, instead of their positions (`#3`). */
export function nameColumns(facts: Facts, columns: readonly string[]): Facts {
  const nameOf = (text: string) => {
    const position = /^#(\d+)$/.exec(text)?.[1];
    return position === undefined ? text : (columns[Number(position) - 1] ?? text);
  };
  const named = (value: unknown): unknown => {
    if (typeof value === "string") return nameOf(value);
    if (Array.isArray(value)) return value.map(named);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [nameOf(name), named(one)]));
  };
  return named(facts) as Facts;
}

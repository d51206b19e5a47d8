import type { CopyValue } from "../database/copy-text.js";
import type { Domain, FieldKind } from "./domains.js";

export type { FieldKind };

export interface Field extends Domain {
  /** Its name in the line of an export. */
  name: string;
  column: string;
}

/** A column of the primary key, after the organization. */
export interface KeyColumn {
  name: string;
  type: "uuid" | "integer" | "bigint";
}

/** The values of a row by field, as text: strings decoded, json and numbers as they are spelled. Null: none. */
export type RowValues = ReadonlyMap<string, string | null>;

/** A column that an export does not have: the import computes it, or a new installation starts over with it. */
export interface ComputedColumn {
  column: string;
  value(values: RowValues): CopyValue;
}

/** What the fields of one row must satisfy together. */
export interface RowRule {
  /** The field that is reported. */
  field: string;
  /** Continues the name of the field. */
  must: string;
  isKept(values: RowValues): boolean;
  /** Work in progress may break it, so it holds for rows of exports only. */
  inExportsOnly?: true;
}

/**
 * A table of an organization: its columns, what each of them may hold, and its place in an export. The export, the import
 * of an export, `gatehouse verify`, the reference page and the test that finds forgotten columns derive from this, so a
 * new table is one more declaration in sections.ts.
 */
export interface Section {
  /** The `kind` of its lines. */
  kind: string;
  table: string;
  /** The kind of the section before it in an export. Absent: it comes before the audit log. */
  after?: string;
  /** For the documentation. */
  says: string;
  key: readonly KeyColumn[];
  fields: readonly Field[];
  rules?: readonly RowRule[];
  /**
   * Which rows existed when the export began: those whose column is not above the newest id that a section had then.
   * Absent: the column `id` and the section itself.
   */
  boundBy?: { column: string; section: string };
  /**
   * Below the bound, rows are neither added nor removed unless something spoils the export. An export that is continued
   * checks their number.
   */
  isSettled: boolean;
  /** Only rows that satisfy this are exported; the row is `stored`, its organization $1. */
  only?: string;
  computed?: readonly ComputedColumn[];
  /** An organization that has nothing but such rows counts as empty. */
  mayBeThere?: true;
}

export const idKey: readonly KeyColumn[] = [{ name: "id", type: "uuid" }];
export const runAndPosition: readonly KeyColumn[] = [
  { name: "run_id", type: "uuid" },
  { name: "position", type: "integer" },
];

/** The column of the bound, and the section whose newest id it is. */
export function boundOf({ kind, boundBy }: Section): { column: string; section: string } {
  return boundBy ?? { column: "id", section: kind };
}

/** By "name" or "name column". */
export function fieldsOf(domains: Readonly<Record<string, Domain>>): Field[] {
  return Object.entries(domains).map(([text, domain]) => {
    const [name = "", column = columnOf(name)] = text.split(" ");
    return { ...domain, name, column };
  });
}

function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

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

/** The values of a row by field, as text: strings decoded, JSON and numbers as they are spelled. */
export type RowValues = ReadonlyMap<string, string | null>;

/** A column that is not exported: the import of an export computes it or sets an initial value. */
export interface ComputedColumn {
  column: string;
  value(values: RowValues): CopyValue;
}

/** A rule about several fields of a row. */
export interface RowRule {
  /** The field in the error message. */
  field: string;
  /** The error message after the name of the field. */
  must: string;
  isKept(values: RowValues): boolean;
  /** Checked in exports only, because rows of work in progress may break it. */
  inExportsOnly?: true;
}

/**
 * A table of an organization: its columns, their valid values, and its place in an export. Exports and their import,
 * `gatehouse verify`, the reference page and the test for missing columns derive from this.
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
   * Selects the rows that existed when the export began: those whose column is not above the newest id of a section at
   * that time. Absent: the column `id` and the section itself.
   */
  boundBy?: { column: string; section: string };
  /** Rows below the bound are never added or removed. A resumed export checks their number. */
  isSettled: boolean;
  /** SQL condition of the rows to export; the row is `stored`, its organization $1. */
  only?: string;
  computed?: readonly ComputedColumn[];
  /** An organization with only such rows counts as empty. */
  mayBeThere?: true;
}

export const idKey: readonly KeyColumn[] = [{ name: "id", type: "uuid" }];
export const runAndPosition: readonly KeyColumn[] = [
  { name: "run_id", type: "uuid" },
  { name: "position", type: "integer" },
];

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

import type { CopyValue } from "../database/copy-text.js";

/** How a value stands in a line: text, moments, dates and uuids as strings, numbers as numbers, json as it was sent. */
export type FieldKind =
  | "uuid"
  | "text"
  | "integer"
  | "decimal"
  | "flag"
  | "moment"
  | "date"
  | "json"
  /** In hex. */
  | "bytes";

export interface Field {
  /** Its name in the line. */
  name: string;
  column: string;
  kind: FieldKind;
}

/** A column of the primary key, after the organization. */
export interface KeyColumn {
  name: string;
  type: "uuid" | "integer" | "bigint";
}

/** What is not in the file, because it follows from what is, or begins anew with the installation. */
export interface ComputedColumn {
  column: string;
  /** `values`: those of the line, by field, as they go into COPY; absent ones are null. */
  value(values: ReadonlyMap<string, string | null>): CopyValue;
}

/**
 * One kind of line: a table of the organization, in the order of its key. The export, the import of an export, the page
 * of the documentation and the test that looks for forgotten columns are all made of these, so that another table is
 * one more declaration in sections.ts.
 */
export interface Section {
  /** The `kind` of its lines. */
  kind: string;
  table: string;
  /** For the documentation. */
  says: string;
  key: readonly KeyColumn[];
  fields: readonly Field[];
  /**
   * Which rows were there when the export began: those whose column is not above the newest id that a section had then.
   * Absent: by the column `id` and the section itself.
   */
  boundBy?: { column: string; section: string };
  /**
   * Below the bound, rows are neither added nor removed unless something spoils the export. An export that is continued
   * checks their number.
   */
  isSettled: boolean;
  /** Only rows of which this is true; the row is `stored`, its organization $1. */
  only?: string;
  computed?: readonly ComputedColumn[];
  /** An organization that has nothing but such rows counts as empty. */
  mayBeThere?: true;
}

export const idKey: readonly KeyColumn[] = [{ name: "id", type: "uuid" }];

/** The column of the bound, and the section whose newest id it is. */
export function boundOf({ kind, boundBy }: Section): { column: string; section: string } {
  return boundBy ?? { column: "id", section: kind };
}

/** "name" or "name column", by kind. */
export function fieldsOf(kinds: Partial<Record<FieldKind, readonly string[]>>): Field[] {
  return Object.entries(kinds).flatMap(([kind, names]) =>
    names.map((text) => {
      const [name = "", column = columnOf(name)] = text.split(" ");
      return { name, column, kind: kind as FieldKind };
    }),
  );
}

function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

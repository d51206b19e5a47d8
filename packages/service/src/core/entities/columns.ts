import { relationFields, type EntityDescription, type FieldSchema } from "@gatehouse-parking/contract";

/**
 * How the fields of an entity become columns. The list is derived from the contract's schema: the column is the field
 * in snake case, its encoding follows from its type, and its default is the published one.
 */
export interface Column {
  field: string;
  /** Where the field stands in the record that is imported. */
  path: readonly string[];
  name: string;
  kind: ColumnKind;
  /** What is stored when the field is not given. */
  default: unknown;
}

/** Rows go in as PostgreSQL stores them, so the column must be of the type that its kind says. */
export const columnTypes = {
  text: "text",
  choice: "smallint",
  integer: "integer",
  flag: "boolean",
  amount: "numeric",
  timestamp: "timestamp with time zone",
  json: "json",
} as const;

export type ColumnKind = keyof typeof columnTypes;

/** `path`: where the object stands in the record. Relations are not stored as sent, but as the link they resolve to. */
export function columnsOf(entity: EntityDescription, path: readonly string[] = []): Column[] {
  const links = relationFields(entity);
  return Object.entries(entity.schema.properties as Record<string, FieldSchema & { default?: unknown }>)
    .filter(([field]) => !links.has(field))
    .map(([field, definition]) => ({
      field,
      path: [...path, field],
      name: columnName(field),
      kind: kindOf(definition),
      default: definition.default,
    }));
}

export function columnName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The fields of a stored row as answers show them. JSON stays the text that was sent. */
export function shownFieldsOf(
  columns: readonly Column[],
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(columns.map(({ field, name, kind }) => [field, shownValue(kind, row[name])]));
}

function shownValue(kind: ColumnKind, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return kind === "amount" && value !== null ? Number(value) : value;
}

/** Whether the value in JSON is a number. */
export function isNumeric(kind: ColumnKind): boolean {
  return kind === "integer" || kind === "choice" || kind === "amount";
}

function kindOf(definition: FieldSchema): ColumnKind {
  const types = [definition.type].flat();
  if (definition.format === "timestamp" || definition.format === "date-or-timestamp") return "timestamp";
  if (types.includes("string")) return "text";
  if (types.includes("integer")) return definition.enum === undefined ? "integer" : "choice";
  if (types.includes("number")) return "amount";
  return types.includes("boolean") ? "flag" : "json";
}

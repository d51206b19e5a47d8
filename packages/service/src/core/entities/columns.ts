import { relationFields, type EntityDescription, type FieldSchema } from "@gatehouse-parking/contract";

/** The column of a field, derived from the contract: its name in snake case, its encoding and its default. */
export interface Column {
  field: string;
  /** The path of the field in an imported record. */
  path: readonly string[];
  name: string;
  kind: ColumnKind;
  /** Stored if the field is missing. */
  default: unknown;
}

/** Binary COPY requires that the column has exactly this type. */
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

/** `path`: the path of the object in the record. Excludes the fields of relations, which are stored as links. */
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

/** The fields of a stored row for answers. JSON stays exact text. */
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

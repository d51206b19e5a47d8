import {
  Account,
  Contact,
  Subscription,
  Transaction,
  Vehicle,
  parseTimestamp,
  type FieldSchema,
} from "@gatehouse/contract";
import { copyNull, copyText, sqlTimestamp, type CopyValue } from "../database/copy-text.js";
import type { JsonRecord } from "../json/json-record.js";

/**
 * How the fields of a record become columns. The list is derived from the contract's schema: the column is the field
 * in snake case, its encoding follows from its type, and its default is the published one.
 */
export interface Column {
  field: string;
  name: string;
  kind: "text" | "integer" | "flag" | "amount" | "timestamp" | "json";
  /** What is stored when the field is not given. */
  default: unknown;
}

/** Relations are not stored as sent, but as the link they resolve to. */
const relationFields = new Set([
  "locationUuid",
  "accountUuid",
  "accountTPReferenceId",
  "account",
  "contactUuid",
  "contact",
  "vehicleUuid",
  "vehicle",
  "subscriptionUuid",
  "subscriptionTPReferenceId",
  "subscription",
]);

function columnsOf(schema: { properties: object }): Column[] {
  return Object.entries(schema.properties as Record<string, FieldSchema & { default?: unknown }>)
    .filter(([field]) => !relationFields.has(field))
    .map(([field, definition]) => ({
      field,
      name: field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      kind: kindOf(definition),
      default: definition.default,
    }));
}

function kindOf(definition: FieldSchema): Column["kind"] {
  const types = [definition.type].flat();
  if (definition.format === "timestamp" || definition.format === "date-or-timestamp") return "timestamp";
  if (types.includes("string")) return "text";
  if (types.includes("integer")) return "integer";
  if (types.includes("number")) return "amount";
  return types.includes("boolean") ? "flag" : "json";
}

export const entityColumns = {
  accounts: columnsOf(Account),
  contacts: columnsOf(Contact),
  vehicles: columnsOf(Vehicle),
  subscriptions: columnsOf(Subscription),
  transactions: columnsOf(Transaction),
};

/** The values of an object's columns. `path` says where the object stands in its record. */
export function encodeColumns(
  columns: readonly Column[],
  object: Record<string, unknown>,
  source: JsonRecord,
  path: readonly string[],
): CopyValue[] {
  return columns.map((column) => {
    const value = object[column.field] ?? column.default;
    return value === undefined || value === null ? copyNull : encodeValue(column, value, source, path);
  });
}

function encodeValue(column: Column, value: unknown, source: JsonRecord, path: readonly string[]): CopyValue {
  switch (column.kind) {
    case "text":
      return copyText(value as string);
    case "flag":
      return value === true ? "t" : "f";
    case "timestamp":
      return sqlTimestamp(parseTimestamp(value as string, true) as number);
    case "amount":
      return source.numberSpelling([...path, column.field]) ?? String(value);
    case "json":
      return copyText(source.textAt([...path, column.field]) as string);
    case "integer":
      return String(value);
  }
}

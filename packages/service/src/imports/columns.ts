import {
  Account,
  Contact,
  Subscription,
  Transaction,
  Vehicle,
  parseTimestamp,
  readDecimal,
  type FieldSchema,
} from "@gatehouse-parking/contract";
import { copyNull, copyText, sqlTimestamp, type CopyLine, type CopyValue } from "../database/copy-text.js";
import type { JsonRecord } from "@gatehouse-parking/json-text";

/**
 * How the fields of a record become columns. The list is derived from the contract's schema: the column is the field
 * in snake case, its encoding follows from its type, and its default is the published one.
 */
export interface Column {
  field: string;
  /** Where the field stands in the record that is imported. */
  path: readonly string[];
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

function columnsOf(schema: { properties: object }, path: readonly string[] = []): Column[] {
  return Object.entries(schema.properties as Record<string, FieldSchema & { default?: unknown }>)
    .filter(([field]) => !relationFields.has(field))
    .map(([field, definition]) => ({
      field,
      path: [...path, field],
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

/** The columns of an object that is a record itself. */
export const recordColumns = {
  accounts: columnsOf(Account),
  subscriptions: columnsOf(Subscription),
  transactions: columnsOf(Transaction),
};

/** The columns of an object that is nested in a transaction. */
export const nestedColumns = {
  accounts: columnsOf(Account, ["account"]),
  contacts: columnsOf(Contact, ["contact"]),
  vehicles: columnsOf(Vehicle, ["vehicle"]),
  subscriptions: columnsOf(Subscription, ["subscription"]),
};

/** Appends the values of an object's columns to a line of COPY. */
export function encodeColumns(
  line: CopyLine,
  columns: readonly Column[],
  object: Record<string, unknown>,
  source: JsonRecord,
): void {
  for (const column of columns) {
    const value = object[column.field] ?? column.default;
    line.add(value === undefined || value === null ? copyNull : encodeValue(column, value, source));
  }
}

function encodeValue(column: Column, value: unknown, source: JsonRecord): CopyValue {
  switch (column.kind) {
    case "text":
      return copyText(value as string);
    case "flag":
      return value === true ? "t" : "f";
    case "timestamp":
      return encodeTimestamp(value as string);
    case "amount":
      return amountText(value as number, source.numberSpelling(column.path));
    case "json":
      return copyText(source.textAt(column.path) as string);
    case "integer":
      return String(value);
  }
}

/** PostgreSQL reads UTC with up to milliseconds just as we do; anything else is converted first. */
function encodeTimestamp(text: string): CopyValue {
  const isPlain =
    text.length <= "2026-04-01T14:30:00.000Z".length && text.endsWith("Z") && !text.startsWith("0000");
  return isPlain ? text : sqlTimestamp(parseTimestamp(text, true) as number);
}

/** As spelled; but a zero may be spelled with an exponent that PostgreSQL does not read. */
function amountText(value: number, spelling: string | undefined): CopyValue {
  return spelling === undefined || (value === 0 && readDecimal(spelling).isZero) ? String(value) : spelling;
}

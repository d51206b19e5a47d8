import { emailKey, plateKey } from "@gatehouse-parking/contract";
import { recordKinds, type Field } from "./kinds.js";
import type { FieldValue, RecordKind, RecordRow } from "@gatehouse-parking/contract/console";

/**
 * What the console shows of each kind of record. Fields and columns come from the list the command line uses; here is
 * how a record is named on a page, what leads to it, and what it leads to. SQL speaks of the row as `record`, and of its
 * organization as $1, which every table is asked for by itself (docs/decisions/0013).
 */
export interface PageKind {
  fields: Record<string, Field>;
  /** What people call the record by. */
  reference: string;
  /** A short line beside it. */
  title: string;
  /** The column in which a reference is looked up by its beginning, and how the typed text gets its form. */
  prefixColumn: string;
  prefixOf(text: string): string;
  /** The number of its import endpoint, if records are imported as themselves. */
  resource?: 1 | 2 | 3;
  /** What `type` filters. */
  typeColumn?: string;
  hasLocation: boolean;
  /** Columns that link to other kinds. */
  links: Partial<Record<LinkTarget, string>>;
  /** Whether an index finds the rows of a run. */
  hasRunIndex: boolean;
}

export type LinkTarget = "locations" | "accounts" | "contacts" | "vehicles" | "subscriptions";

const asTyped = (text: string): string => text;

export const pageKinds: Record<RecordKind, PageKind> = {
  transactions: {
    fields: recordKinds.transaction.fields,
    reference: "record.transaction_id",
    title: `(select name from locations where organization_id = $1 and id = record.location_id)
      || ', ' || record.local_date`,
    prefixColumn: "transaction_id",
    prefixOf: asTyped,
    resource: 1,
    typeColumn: "type",
    hasLocation: true,
    links: {
      locations: "location_id",
      accounts: "account_id",
      contacts: "contact_id",
      vehicles: "vehicle_id",
      subscriptions: "subscription_id",
    },
    hasRunIndex: true,
  },
  accounts: {
    fields: recordKinds.account.fields,
    reference: "record.tp_reference_id",
    title: "record.name",
    prefixColumn: "tp_reference_id",
    prefixOf: asTyped,
    resource: 2,
    typeColumn: "type",
    hasLocation: true,
    links: { locations: "location_id" },
    hasRunIndex: true,
  },
  subscriptions: {
    fields: recordKinds.subscription.fields,
    reference: "record.tp_reference_id",
    title: `concat_ws(', ',
      (select name from accounts where organization_id = $1 and id = record.account_id),
      record.permit_number, record.permit_type)`,
    prefixColumn: "tp_reference_id",
    prefixOf: asTyped,
    resource: 3,
    typeColumn: "status",
    hasLocation: true,
    links: { locations: "location_id", accounts: "account_id" },
    hasRunIndex: true,
  },
  contacts: {
    fields: recordKinds.contact.fields,
    reference: "coalesce(record.email, record.phone_number)",
    title: "concat_ws(' ', record.first_name, record.last_name)",
    prefixColumn: "email_key",
    prefixOf: emailKey,
    hasLocation: false,
    links: {},
    hasRunIndex: false,
  },
  vehicles: {
    fields: recordKinds.vehicle.fields,
    reference: "record.license_plate",
    title: "concat_ws(' ', record.color, record.make, record.model)",
    prefixColumn: "plate_key",
    prefixOf: plateKey,
    hasLocation: false,
    links: {},
    hasRunIndex: false,
  },
};

/** Shown apart from the other fields. */
const apart = new Set(["uuid", "metadata", "importReferenceUuid", "createdAt"]);

export interface StoredRecord {
  [column: string]: unknown;
  id: string;
  shown_reference: string;
  shown_title: string | null;
  created_at: Date;
}

export function rowColumns(kind: RecordKind): string {
  const { fields, reference, title } = pageKinds[kind];
  const columns = Object.entries(fields)
    .filter(([name]) => !apart.has(name))
    .map(([, field]) => `record.${field.column}`);
  return [
    "record.id",
    "record.created_at",
    `${reference} as shown_reference`,
    `${title} as shown_title`,
    ...columns,
  ].join(", ");
}

export function toRecordRow(kind: RecordKind, row: StoredRecord): RecordRow {
  const fields: Record<string, FieldValue> = {};
  for (const [name, field] of Object.entries(pageKinds[kind].fields)) {
    if (!apart.has(name)) fields[name] = toFieldValue(row[field.column]);
  }
  return {
    uuid: row.id,
    kind,
    reference: row.shown_reference,
    title: row.shown_title ?? "",
    createdAt: row.created_at.toISOString(),
    fields,
  };
}

/** Decimals and dates without a time arrive as text, and stay text. */
function toFieldValue(value: unknown): FieldValue {
  if (value instanceof Date) return value.toISOString();
  return (value ?? null) as FieldValue;
}

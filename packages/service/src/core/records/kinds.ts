import { emailKey, type EntityName } from "@gatehouse-parking/contract";
import { type Column, columnName } from "../entities/columns.js";
import { storedEntities, storedLead } from "../entities/entities.js";
import type { StoredEntity, StoredTable } from "../entities/stored-entity.js";

/**
 * How each kind of stored record is shown: the field names of the API and the columns behind them. `text`
 * applies to everything the driver already returns in the form to show.
 */
export type ColumnType = "text" | "timestamp" | "decimal" | "json";

export interface Field {
  column: string;
  type: ColumnType;
}

export interface Reference {
  column: string;
  /** The key to search in the column for a given text; an empty key finds nothing. */
  key: (text: string) => string;
  /** Several records may have the same key; the newest one is returned. */
  newestOf?: true;
}

export interface RecordKind {
  table: string;
  /** Ways to find a record other than its uuid, in the order in which they are tried. */
  references: Reference[];
  fields: Record<string, Field>;
}

const asGiven = (text: string): string => text;
const text = (column: string): Field => ({ column, type: "text" });
const timestamp = (column: string): Field => ({ column, type: "timestamp" });
const json = (column: string): Field => ({ column, type: "json" });

const columnTypes: Record<Column["kind"], ColumnType> = {
  text: "text",
  choice: "text",
  integer: "text",
  flag: "text",
  amount: "decimal",
  timestamp: "timestamp",
  json: "json",
};

/** The fields that an entity was sent with, in the order of its schema. */
function ownFields({ entity, columns }: StoredTable): Record<string, Field> {
  const fields: Record<string, Field> = {};
  for (const name of Object.keys(entity.schema.properties)) {
    const column = columns.find(({ field }) => field === name);
    if (column) fields[name] = { column: column.name, type: columnTypes[column.kind] };
    if (name === entity.locationField) fields[name] = text("location_id");
  }
  return fields;
}

/** All fields of an imported entity under the names of the API, with the fields that all records share last. */
function fieldsOf(stored: StoredEntity): Record<string, Field> {
  const { entity, links } = stored;
  const sent = ownFields(stored);
  const fields: Record<string, Field> = { uuid: text("id") };
  const foundBy: Record<string, Field> = {};
  for (const name of Object.keys(entity.schema.properties)) {
    const field = sent[name];
    const link = links.find(({ relation }) => relation.uuidField === name);
    if (field) fields[name] = field;
    if (link) fields[name] = text(link.id);
    if (link?.via) foundBy[`${link.relation.name}FoundBy`] = text(link.via);
    if (name === entity.localTimeOf) {
      fields["timeZone"] = text("time_zone");
      fields["localDate"] = text("local_date");
      fields["utcOffsetSeconds"] = text("utc_offset_seconds");
    }
  }
  const { metadata, ...own } = fields;
  return {
    ...own,
    ...foundBy,
    ...(metadata ? { metadata } : {}),
    importReferenceUuid: text("import_run_id"),
    createdAt: timestamp("created_at"),
  };
}

function referencesOf({ entity, matches }: StoredEntity): Reference[] {
  const references: Reference[] = matches.map(({ match, column }) => ({
    column,
    key: (typed) => (match.couldBe?.(typed) === false ? "" : (match.toKey?.(typed) ?? typed)),
  }));
  if (entity.otherReference !== undefined)
    references.push({ column: columnName(entity.otherReference), key: asGiven, newestOf: true });
  return references;
}

const lead: RecordKind = {
  table: "leads",
  references: [
    { column: "idempotency_key", key: asGiven },
    { column: "email_key", key: emailKey, newestOf: true },
  ],
  fields: {
    uuid: text("id"),
    ...ownFields(storedLead),
    state: text("state"),
    duplicateOfUuid: text("duplicate_of"),
    captchaType: text("captcha_type"),
    captchaResult: json("captcha_result"),
    apiKeyUuid: text("api_key_id"),
    address: text("address"),
    userAgent: text("user_agent"),
    idempotencyKey: text("idempotency_key"),
    createdAt: timestamp("created_at"),
  },
};

const imported = Object.fromEntries(
  storedEntities.map((stored) => [
    stored.entity.name,
    { table: stored.table, references: referencesOf(stored), fields: fieldsOf(stored) },
  ]),
) as Record<EntityName, RecordKind>;

export const recordKinds: Record<EntityName | "lead", RecordKind> = { ...imported, lead };

export type RecordKindName = keyof typeof recordKinds;
export const recordKindNames = Object.keys(recordKinds) as RecordKindName[];

import {
  importResources,
  type EntityPlural,
  type ImportResource,
  type ImportResourceName,
} from "@gatehouse-parking/contract";
import { storedEntities, storedTable } from "../entities/entities.js";
import type { MatchColumn, Page, StoredEntity } from "../entities/stored-entity.js";
import { recordKinds, type Field } from "./kinds.js";
import {
  recordKinds as recordKindsInOrder,
  type FieldValue,
  type RecordKind,
  type RecordRow,
} from "@gatehouse-parking/contract/console";

/** How the console shows a kind of record, derived from its entity. */
export interface PageKind extends Page {
  fields: Record<string, Field>;
  /** The column for searches by prefix, and the normalization of the typed text. */
  prefixColumn: string;
  prefixOf(text: string): string;
  /** The number of its import endpoint, if it has one. */
  resource?: ImportResource;
  hasLocation: boolean;
  /** Columns that link to other kinds. */
  links: Partial<Record<LinkTarget, string>>;
  /** Whether an index finds the rows of a run. */
  hasRunIndex: boolean;
}

export type LinkTarget = "locations" | EntityPlural;

export const pageKinds = Object.fromEntries(
  recordKindsInOrder.map((kind) => [kind, toPageKind(storedTable(kind))]),
) as Record<RecordKind, PageKind>;

function toPageKind({ entity, table, matches, links, page }: StoredEntity): PageKind {
  const [first] = matches as [MatchColumn];
  const linkColumns = storedEntities.flatMap((target) =>
    links.filter(({ relation }) => relation.to === target.entity).map(({ id }) => [target.table, id]),
  );
  return {
    ...page,
    fields: recordKinds[entity.name].fields,
    prefixColumn: first.column,
    prefixOf: (typed) => first.match.toKey?.(typed) ?? typed,
    ...(entity.key === undefined ? {} : { resource: importResources[table as ImportResourceName].resource }),
    hasLocation: entity.locationField !== undefined,
    links: Object.fromEntries([
      ...(entity.locationField === undefined ? [] : [["locations", "location_id"]]),
      ...linkColumns,
    ]),
    hasRunIndex: entity.key !== undefined,
  };
}

/** The page shows these separately. */
const apart = new Set(["uuid", "metadata", "importReferenceUuid", "createdAt"]);

export interface StoredRecord {
  [column: string]: unknown;
  id: string;
  shown_reference: string;
  shown_title: string | null;
  created_at: Date;
}

export function shownFields(kind: RecordKind): [string, Field][] {
  return Object.entries(pageKinds[kind].fields).filter(([name]) => !apart.has(name));
}

export function rowColumns(kind: RecordKind): string {
  const { reference, title } = pageKinds[kind];
  const columns = shownFields(kind).map(([, field]) => `record.${field.column}`);
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
  for (const [name, field] of shownFields(kind)) fields[name] = toFieldValue(row[field.column]);
  return {
    uuid: row.id,
    kind,
    reference: row.shown_reference,
    title: row.shown_title ?? "",
    createdAt: row.created_at.toISOString(),
    fields,
  };
}

/** Decimals and dates without a time stay text. */
function toFieldValue(value: unknown): FieldValue {
  if (value instanceof Date) return value.toISOString();
  return (value ?? null) as FieldValue;
}

import { isStorableText, isUuid } from "@gatehouse-parking/contract";
import type pg from "pg";
import type { DeletedRecord } from "@gatehouse-parking/contract/console";
import { invalidInput } from "../refusals/user-error.js";
import { requireOrganization } from "../organizations/organizations.js";
import { exactJson } from "@gatehouse-parking/json-text";
import type { FindRemoved } from "./removed-records.js";
import { recordKinds, type Field, type RecordKind, type Reference, type RecordKindName } from "./kinds.js";

/** A stored record by field name. Amounts and metadata are exact text; see exact-json.ts of json-text. */
export type ShownRecord = Record<string, unknown>;

export interface RecordQuery {
  organizationId: string;
  kind: RecordKindName;
  /** A uuid or reference; for contacts the email or phone, for vehicles the plate, for leads the email. */
  reference: string;
}

export async function showRecord(
  pool: pg.Pool,
  query: RecordQuery,
  findRemoved: FindRemoved,
): Promise<ShownRecord> {
  await requireOrganization(pool, query.organizationId);
  const record = await findRecord(pool, query);
  if (record) return record;
  const deleted = await findDeletedRecord(pool, query, findRemoved);
  throw invalidInput(
    deleted
      ? `The ${query.kind} ${query.reference} was deleted at ${deleted.at}, at the end of its retention period; its key is still known`
      : `There is no ${query.kind} ${query.reference} in the organization ${query.organizationId}`,
  );
}

async function findDeletedRecord(
  pool: pg.Pool,
  query: RecordQuery,
  findRemoved: FindRemoved,
): Promise<DeletedRecord | undefined> {
  const { organizationId, reference } = query;
  const { table: kind } = recordKinds[query.kind];
  if (!isStorableText(reference)) return undefined;
  const asked = isUuid(reference) ? [{ uuid: reference }, { reference, kind }] : [{ reference, kind }];
  for (const by of asked) {
    const { deleted = [] } = await findRemoved(pool, organizationId, by);
    const found = deleted.find((record) => record.kind === kind);
    if (found) return found;
  }
  return undefined;
}

const uuidReference: Reference = { column: "id", key: (text) => (isUuid(text) ? text : "") };

/** Tries the uuid, then each reference, so that each query uses one index. */
export async function findRecord(pool: pg.Pool, query: RecordQuery): Promise<ShownRecord | undefined> {
  const kind: RecordKind = recordKinds[query.kind];
  // No stored text contains such characters.
  if (!isStorableText(query.reference)) return undefined;
  for (const { column, key, newestOf } of [uuidReference, ...kind.references]) {
    const wanted = key(query.reference);
    if (wanted === "") continue;
    const { rows } = await pool.query<Record<string, unknown>>(
      `select ${columnsOf(kind)} from ${kind.table} where organization_id = $1 and ${column} = $2
       ${newestOf ? "order by created_at desc, id desc" : ""} limit 1`,
      [query.organizationId, wanted],
    );
    if (rows[0]) return toRecord(kind, rows[0]);
  }
  return undefined;
}

/** The records of a kind with these uuids, oldest first. */
export async function listRecords(
  client: pg.ClientBase | pg.Pool,
  query: { organizationId: string; kind: RecordKindName; ids: string[] },
): Promise<ShownRecord[]> {
  const kind: RecordKind = recordKinds[query.kind];
  const { rows } = await client.query<Record<string, unknown>>(
    `select record.* from unnest($2::uuid[]) as wanted (wanted_id)
     cross join lateral (
       select ${columnsOf(kind)} from ${kind.table} where organization_id = $1 and id = wanted.wanted_id limit 1
     ) as record
     order by record.created_at, record.id`,
    [query.organizationId, query.ids],
  );
  return rows.map((row) => toRecord(kind, row));
}

function columnsOf(kind: RecordKind): string {
  return Object.values(kind.fields)
    .map((field) => field.column)
    .join(", ");
}

function toRecord(kind: RecordKind, row: Record<string, unknown>): ShownRecord {
  return Object.fromEntries(
    Object.entries(kind.fields).map(([name, field]) => [name, toValue(field, row[field.column])]),
  );
}

function toValue(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  switch (field.type) {
    case "timestamp":
      return (value as Date).toISOString();
    case "decimal":
    case "json":
      return exactJson(value as string);
    default:
      return value;
  }
}

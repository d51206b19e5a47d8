import type { EntityPlural } from "@gatehouse-parking/contract";
import { recordKinds, type KindCount, type RecordKind } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { columnName } from "../../core/entities/columns.js";
import { storedEntities, storedEntity } from "../../core/entities/entities.js";
import type { StoredEntity } from "../../core/entities/stored-entity.js";

/** A record that an import created and that is still stored. */
export interface CreatedRecord {
  kind: EntityPlural;
  id: string;
  /** The position in the batch, of this record or of the one that it was nested in. */
  position: number;
  /** Null: the entity has no key, because it is only imported nested in others. */
  reference: string | null;
  /** Identifiers of the records that it refers to. */
  refersTo: readonly string[];
}

/**
 * Finds what is left of an import. Entities with a key are found by an index on the import. The others have no such index:
 * the record that they were nested in refers to them, or undo_records once that record was removed. A batch has at most 500
 * records with at most four nested ones each, so this is bounded.
 */
export async function findCreated(
  client: pg.ClientBase,
  organizationId: string,
  runId: string,
): Promise<CreatedRecord[]> {
  const created: CreatedRecord[] = [];
  for (const stored of storedEntities) {
    if (stored.entity.key === undefined) continue;
    const { rows } = await client.query<StoredRow>(selectCreated(stored, stored.entity.key), [
      organizationId,
      runId,
    ]);
    for (const row of rows) created.push(toRecord(stored, row), ...nestedRecords(stored, row));
  }
  const { rows: left } = await client.query<Pick<CreatedRecord, "kind" | "id" | "position">>(
    `select kind, record_id as id, position from undo_records
     where organization_id = $1 and run_id = $2 and not is_removed and kind = any ($3::text[])`,
    [organizationId, runId, withoutKey],
  );
  for (const record of left) created.push({ ...record, reference: null, refersTo: [] });
  return created;
}

const withoutKey = storedEntities
  .filter(({ entity }) => entity.key === undefined)
  .map(({ table }) => table as string);

interface StoredRow {
  [link: string]: unknown;
  id: string;
  position: number;
  reference: string;
}

function selectCreated({ table, links }: StoredEntity, key: string): string {
  const linkColumns = links.flatMap(({ id, via }) => (via === undefined ? [id] : [id, via]));
  return `
    select ${["id", "position", `${columnName(key)} as reference`, ...linkColumns].join(", ")}
    from ${table} where organization_id = $1 and import_run_id = $2`;
}

function toRecord({ table, links }: StoredEntity, row: StoredRow): CreatedRecord {
  const refersTo = links.flatMap(({ id }) => (typeof row[id] === "string" ? [row[id]] : []));
  return { kind: table, id: row.id, position: row.position, reference: row.reference, refersTo };
}

/** Nested records without a key that were created with this record. */
function nestedRecords({ links }: StoredEntity, row: StoredRow): CreatedRecord[] {
  return links.flatMap(({ relation, id, via }) => {
    const isCreated = via !== undefined && row[via] === "created" && relation.to.key === undefined;
    if (!isCreated) return [];
    const kind = storedEntity(relation.to).table;
    return [{ kind, id: row[id] as string, position: row.position, reference: null, refersTo: [] }];
  });
}

/** Without kinds that do not occur, in the order of the console's pages. */
export function countByKind(records: readonly { kind: RecordKind }[]): KindCount[] {
  return recordKinds
    .map((kind) => ({ kind, count: records.filter((record) => record.kind === kind).length }))
    .filter(({ count }) => count > 0);
}

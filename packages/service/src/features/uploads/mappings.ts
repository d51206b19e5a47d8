import type pg from "pg";
import { importResourceNames, importResources, type ImportResourceName } from "@gatehouse-parking/contract";
import type { KeptMapping, KeptMappingDetail } from "@gatehouse-parking/contract/console";
import { headerShape, maxColumns, toMapping } from "@gatehouse-parking/record-files";
import { actorName, writeAudit, type Actor } from "../../core/audit/audit.js";
import { transaction } from "../../core/database/transaction.js";
import {
  invalidInput,
  notFoundError,
  conflictError,
  requireText,
  versionOf,
  requireVersion,
} from "../../core/refusals/user-error.js";
import { uuidv7 } from "../../core/uuidv7.js";

export const maxMappingNameLength = 128;

/** A saved mapping, for further files with the same columns. */
export interface MappingFields {
  name: string;
  resource: ImportResourceName;
  columns: string[];
  mapping: Record<string, unknown>;
}

export const maxMappings = 200;

interface MappingKey {
  organizationId: string;
  mappingId: string;
}

interface MappingRow {
  id: string;
  name: string;
  resource: number;
  shape: string;
  columns: string;
  mapping: string;
  changed_by: string;
  changed_at: Date;
}
const rowColumns = "id, name, resource, shape, columns, mapping, changed_by, changed_at";

/** Last changed first. */
export async function listMappings(
  pool: pg.Pool,
  filters: { organizationId: string; resource?: ImportResourceName; shape?: string },
): Promise<KeptMapping[]> {
  if (filters.shape !== undefined && !/^[0-9a-f]{16}$/.test(filters.shape)) return [];
  const { rows } = await pool.query<MappingRow>(
    `select id, name, resource, shape, changed_by, changed_at from mappings
     where organization_id = $1 and ($2::smallint is null or resource = $2) and ($3::text is null or shape = $3)
     order by changed_at desc, id limit $4`,
    [filters.organizationId, numberOf(filters.resource), filters.shape ?? null, maxMappings],
  );
  return rows.map(toSavedMapping);
}

export async function showMapping(pool: pg.Pool, key: MappingKey): Promise<KeptMappingDetail> {
  return toDetail(await findMapping(pool, key));
}

export async function createMapping(
  pool: pg.Pool,
  { organizationId, actor, ...fields }: MappingFields & { organizationId: string; actor: Actor },
): Promise<KeptMappingDetail> {
  return transaction(pool, async (client) => {
    await lockNames(client, organizationId);
    await requireFewerThanMax(client, organizationId);
    return save(client, { organizationId, mappingId: uuidv7() }, fields, actor, "create");
  });
}

/** Changes the given fields. */
export async function changeMapping(
  pool: pg.Pool,
  {
    organizationId,
    mappingId,
    actor,
    version,
    ...changes
  }: MappingKey & Partial<MappingFields> & { actor: Actor; version?: string | undefined },
): Promise<KeptMappingDetail> {
  return transaction(pool, async (client) => {
    await lockNames(client, organizationId);
    const key = { organizationId, mappingId };
    const before = toDetail(await findMapping(client, key, "for update"));
    requireVersion(`The mapping ${before.name}`, before.version, version);
    const { name, resource, columns, mapping } = { ...before, ...changes };
    return save(client, key, { name, resource, columns, mapping }, actor, "update");
  });
}

export async function removeMapping(
  pool: pg.Pool,
  { actor, ...key }: MappingKey & { actor: Actor },
): Promise<void> {
  await transaction(pool, async (client) => {
    const { name } = await findMapping(client, key, "for update");
    await client.query("delete from mappings where organization_id = $1 and id = $2", [
      key.organizationId,
      key.mappingId,
    ]);
    await writeMappingAudit(client, key, actor, "remove", name);
  });
}

/** The content of a saved mapping, by its name. */
export async function mappingNamed(
  connection: pg.Pool | pg.PoolClient,
  { organizationId, name, resource }: { organizationId: string; name: string; resource: ImportResourceName },
): Promise<Record<string, unknown>> {
  const { rows } = await connection.query<Pick<MappingRow, "mapping" | "resource">>(
    "select mapping, resource from mappings where organization_id = $1 and name_key = lower($2)",
    [organizationId, name.trim()],
  );
  const [found] = rows;
  if (!found) throw invalidInput(`There is no mapping named ${name}`);
  if (found.resource !== numberOf(resource)) throw invalidInput(`The mapping ${name} is not for ${resource}`);
  return JSON.parse(found.mapping) as Record<string, unknown>;
}

/** Changes lock the row, because the erasure of a person may change it at the same time. */
async function findMapping(
  connection: pg.Pool | pg.PoolClient,
  key: MappingKey,
  lock: "" | "for update" = "",
): Promise<MappingRow> {
  const { rows } = await connection.query<MappingRow>(
    `select ${rowColumns} from mappings where organization_id = $1 and id = $2 ${lock}`,
    [key.organizationId, key.mappingId],
  );
  if (!rows[0]) throw notFoundError(`There is no mapping ${key.mappingId}`);
  return rows[0];
}

/** Serializes the checks for unique names and the maximum number. */
async function lockNames(client: pg.PoolClient, organizationId: string): Promise<void> {
  await client.query("select from organizations where id = $1 for no key update", [organizationId]);
}

async function requireFewerThanMax(client: pg.PoolClient, organizationId: string): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    "select count(*)::int as count from mappings where organization_id = $1",
    [organizationId],
  );
  if ((rows[0]?.count ?? 0) >= maxMappings)
    throw conflictError(
      `The organization has ${maxMappings} mappings, which is the maximum. Remove some of them`,
    );
}

async function save(
  client: pg.PoolClient,
  key: MappingKey,
  fields: MappingFields,
  actor: Actor,
  action: "create" | "update",
): Promise<KeptMappingDetail> {
  const name = requireText("name", fields.name, maxMappingNameLength).trim();
  const { columns, mapping } = fields;
  requireValid(columns, mapping);
  const { rowCount } = await client.query(
    "select from mappings where organization_id = $1 and name_key = lower($2) and id <> $3",
    [key.organizationId, name, key.mappingId],
  );
  if (rowCount !== 0) throw invalidInput(`A mapping named ${name} already exists`);
  const stored = [
    key.organizationId,
    key.mappingId,
    name,
    numberOf(fields.resource),
    headerShape(columns),
    JSON.stringify(columns),
    JSON.stringify(mapping),
    actorName(actor),
  ];
  const { rows } = await client.query<MappingRow>(
    action === "create"
      ? `insert into mappings (organization_id, id, name, name_key, resource, shape, columns, mapping, changed_by)
         values ($1, $2, $3, lower($3), $4, $5, $6, $7, $8) returning ${rowColumns}`
      : `update mappings set name = $3, name_key = lower($3), resource = $4, shape = $5, columns = $6, mapping = $7,
           changed_by = $8, changed_at = now()
         where organization_id = $1 and id = $2 returning ${rowColumns}`,
    stored,
  );
  await writeMappingAudit(client, key, actor, action, name);
  return toDetail(rows[0] as MappingRow);
}

/** The same check as in gatehouse-push. */
function requireValid(columns: readonly string[], mapping: Record<string, unknown>): void {
  if (columns.length > maxColumns) throw invalidInput(`A file may have at most ${maxColumns} columns`);
  try {
    toMapping(mapping);
  } catch (error) {
    throw invalidInput((error as Error).message);
  }
}

async function writeMappingAudit(
  client: pg.PoolClient,
  { organizationId, mappingId }: MappingKey,
  actor: Actor,
  action: "create" | "update" | "remove",
  name: string,
): Promise<void> {
  await writeAudit(client, {
    organizationId,
    actor,
    action: `mapping.${action}`,
    subjectId: mappingId,
    detail: { name },
  });
}

function numberOf(resource: ImportResourceName | undefined): number | null {
  return resource === undefined ? null : importResources[resource].resource;
}

function toSavedMapping(row: Omit<MappingRow, "columns" | "mapping">): KeptMapping {
  return {
    uuid: row.id,
    name: row.name,
    resource: importResourceNames.find(
      (name) => importResources[name].resource === row.resource,
    ) as ImportResourceName,
    shape: row.shape,
    changedBy: row.changed_by,
    changedAt: row.changed_at.toISOString(),
  };
}

function toDetail(row: MappingRow): KeptMappingDetail {
  const fields = {
    ...toSavedMapping(row),
    columns: JSON.parse(row.columns) as string[],
    mapping: JSON.parse(row.mapping) as Record<string, unknown>,
  };
  return { ...fields, version: versionOf(fields) };
}

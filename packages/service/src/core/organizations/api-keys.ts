import {
  isPermission,
  isUuid,
  defaultPermissions,
  permissions,
  type LimitOverride,
  type Permission,
} from "@gatehouse-parking/contract";
import type pg from "pg";
import { changesBetween, writeAudit, type Actor } from "../audit/audit.js";
import { nowMs } from "../clock.js";
import { transaction, type Connection } from "../database/transaction.js";
import { generateApiKey, hashApiKey, shownPrefix } from "../gate/api-key-format.js";
import {
  invalidInput,
  notFoundError,
  conflictError,
  requireText,
  versionOf,
  requireVersion,
} from "../refusals/user-error.js";
import { uuidv7 } from "../uuidv7.js";
import { apiKeyColumns, storedLimit, toApiKey, type ApiKey, type ApiKeyRow } from "./api-key-row.js";
import { requireOrganization } from "./organizations.js";
import { checkOrigins } from "./settings.js";

export type NewApiKey = ApiKey & { key: string };

export interface ApiKeyInput {
  organizationId: string;
  name: string;
  permissions?: readonly string[] | undefined;
  leadOrigins?: readonly string[] | undefined;
  expiresAt?: Date | undefined;
  actor: Actor;
}

export const maxApiKeyNameLength = 100;
/** The maximum per organization, without revoked keys. */
const maxKeys = 1_000;
/** All of these are listed, and the newest of the revoked ones. */
const maxListed = 5_000;
const maxOverlapMs = 90 * 24 * 3_600_000;

export async function createApiKey(connection: Connection, input: ApiKeyInput): Promise<NewApiKey> {
  return transaction(connection, async (client) => {
    await requireOrganization(client, input.organizationId);
    await requireRoom(client, input.organizationId);
    const created = await insertKey(client, input);
    await writeAudit(client, {
      organizationId: input.organizationId,
      actor: input.actor,
      action: "api-key.create",
      subjectId: created.uuid,
      detail: { name: created.name, permissions: created.permissions, expiresAt: created.expiresAt },
    });
    return created;
  });
}

/** The limit stops callers that create keys and never revoke any. */
async function requireRoom(client: pg.ClientBase, organizationId: string): Promise<void> {
  const { rows } = await client.query<{ keys: number }>(
    "select count(*) as keys from api_keys where organization_id = $1 and revoked_at is null",
    [organizationId],
  );
  if ((rows[0]?.keys ?? 0) >= maxKeys)
    throw conflictError(
      `The organization has ${maxKeys.toLocaleString("en-US")} API keys that are not revoked. Revoke the unused ones`,
    );
}

export async function listApiKeys(pool: pg.Pool, organizationId: string): Promise<ApiKey[]> {
  await requireOrganization(pool, organizationId);
  const { rows } = await pool.query<ApiKeyRow>(
    `select ${apiKeyColumns} from api_keys where organization_id = $1 and id in (
       select id from api_keys where organization_id = $1 order by revoked_at is not null, id desc limit ${maxListed}
     ) order by id desc`,
    [organizationId],
  );
  return rows.map(toApiKey);
}

export async function showApiKey(pool: pg.Pool, organizationId: string, keyId: string): Promise<ApiKey> {
  const { rows } = await pool.query<ApiKeyRow>(
    `select ${apiKeyColumns} from api_keys where organization_id = $1 and id = $2`,
    [organizationId, keyId],
  );
  if (!rows[0]) throw notFoundError(`There is no API key ${keyId}`);
  return toApiKey(rows[0]);
}

/** Identifies the version of the fields of a key that can change. */
export function versionOfKey(key: ApiKey): string {
  const { uuid, revokedAt, replacedBy } = key;
  return versionOf({ uuid, revokedAt, replacedBy: replacedBy?.uuid, ...changeable(key) });
}

function changeable({ name, permissions: granted, leadOrigins, expiresAt, leadLimit }: ApiKey) {
  return { name, permissions: granted, leadOrigins, expiresAt, leadLimit };
}

/** Undefined fields are unchanged. Changes apply to the next request, because each request reads the key. */
export interface ApiKeyChanges {
  keyId: string;
  /** The organization that the key must belong to. */
  organizationId?: string | undefined;
  name?: string | undefined;
  permissions?: readonly string[] | undefined;
  leadOrigins?: readonly string[] | undefined;
  /** Null: never. */
  expiresAt?: Date | null | undefined;
  /** Null: the organization's. */
  leadLimit?: LimitOverride | null | undefined;
  /** The version that was edited. */
  version?: string | undefined;
  actor: Actor;
}

export async function changeApiKey(pool: pg.Pool, changes: ApiKeyChanges): Promise<ApiKey> {
  return transaction(pool, async (client) => {
    const row = await lockKey(client, changes);
    const before = toApiKey(row);
    requireVersion(`The key ${before.name}`, versionOfKey(before), changes.version);
    if (before.revokedAt) throw invalidInput(`The key ${before.name} is revoked and cannot be changed`);
    const isSameEnd = changes.expiresAt?.getTime() === row.expires_at?.getTime();
    const { rows } = await client.query<ApiKeyRow>(
      `update api_keys set name = $3, permissions = $4, lead_origins = $5, expires_at = $6, lead_limit = $7
       where organization_id = $1 and id = $2 returning ${apiKeyColumns}`,
      [
        row.organization_id,
        row.id,
        changes.name === undefined ? row.name : requireText("name", changes.name, maxApiKeyNameLength),
        changes.permissions === undefined ? row.permissions : checkPermissions(changes.permissions),
        changes.leadOrigins === undefined ? row.lead_origins : checkOrigins(changes.leadOrigins),
        changes.expiresAt === undefined || isSameEnd ? row.expires_at : checkEnd(row, changes.expiresAt),
        storedLimit(changes.leadLimit === undefined ? row.lead_limit : changes.leadLimit),
      ],
    );
    const after = toApiKey(rows[0] as ApiKeyRow);
    await writeAudit(client, {
      organizationId: row.organization_id,
      actor: changes.actor,
      action: "api-key.update",
      subjectId: row.id,
      detail: changesBetween(changeable(before), changeable(after)),
    });
    return after;
  });
}

/** A rotated key must keep an expiry. */
function checkEnd(row: ApiKeyRow, expiresAt: Date | null): Date | null {
  if (row.replaced_by !== null && expiresAt === null)
    throw invalidInput("This key was rotated and has to end; choose when");
  return checkExpiry(expiresAt ?? undefined);
}

/** From this moment no instance accepts the key: every request asks the database. */
export async function revokeApiKey(
  pool: pg.Pool,
  input: { keyId: string; organizationId?: string | undefined; actor: Actor },
): Promise<ApiKey> {
  return transaction(pool, async (client) => {
    const key = await lockKey(client, input);
    if (key.revoked_at) return toApiKey(key);
    const { rows } = await client.query<ApiKeyRow>(
      `update api_keys set revoked_at = now() where organization_id = $1 and id = $2 returning ${apiKeyColumns}`,
      [key.organization_id, key.id],
    );
    await writeAudit(client, {
      organizationId: key.organization_id,
      actor: input.actor,
      action: "api-key.revoke",
      subjectId: key.id,
      detail: { name: key.name },
    });
    return toApiKey(rows[0] as ApiKeyRow);
  });
}

/**
 * Creates a successor with the same permissions and, if the old key expires, the same lifetime. The old key
 * works for `overlapMs`, so that callers can switch.
 */
export async function rotateApiKey(
  pool: pg.Pool,
  input: { keyId: string; organizationId?: string | undefined; overlapMs: number; actor: Actor },
): Promise<NewApiKey> {
  if (!(input.overlapMs >= 0 && input.overlapMs <= maxOverlapMs)) {
    throw invalidInput("The overlap must be between 0 and 90 days");
  }
  return transaction(pool, async (client) => {
    const old = await lockKey(client, input);
    if (old.revoked_at) throw invalidInput(`The key ${old.id} has been revoked; create a new one instead`);
    if (old.replaced_by)
      throw invalidInput(
        `The key ${old.id} has already been rotated; rotate its successor ${old.replaced_by}`,
      );
    const lifetime = old.expires_at ? lifetimeMs(old.created_at, old.expires_at) : undefined;
    const like = {
      organizationId: old.organization_id,
      name: old.name,
      permissions: old.permissions,
      leadOrigins: old.lead_origins,
      expiresAt: lifetime === undefined ? undefined : new Date(nowMs() + lifetime),
      actor: input.actor,
    };
    const successor = await insertKey(client, like, old.lead_limit);
    await client.query(
      `update api_keys set replaced_by = $3, expires_at = least(expires_at, now() + make_interval(secs => $4))
       where organization_id = $1 and id = $2`,
      [old.organization_id, old.id, successor.uuid, input.overlapMs / 1000],
    );
    await writeAudit(client, {
      organizationId: old.organization_id,
      actor: input.actor,
      action: "api-key.rotate",
      subjectId: old.id,
      detail: {
        name: old.name,
        successor: successor.uuid,
        successorPrefix: successor.prefix,
        overlapMs: input.overlapMs,
      },
    });
    return successor;
  });
}

async function insertKey(
  client: pg.ClientBase,
  input: ApiKeyInput,
  leadLimit: LimitOverride | null = null,
): Promise<NewApiKey> {
  const key = generateApiKey();
  const { rows } = await client.query<ApiKeyRow>(
    `insert into api_keys (organization_id, id, name, prefix, hash, permissions, lead_origins, expires_at, lead_limit)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${apiKeyColumns}`,
    [
      input.organizationId,
      uuidv7(),
      requireText("name", input.name, maxApiKeyNameLength),
      shownPrefix(key),
      hashApiKey(key),
      checkPermissions(input.permissions ?? defaultPermissions),
      checkOrigins(input.leadOrigins ?? []),
      checkExpiry(input.expiresAt),
      storedLimit(leadLimit),
    ],
  );
  return { ...toApiKey(rows[0] as ApiKeyRow), key };
}

function lifetimeMs(createdAt: Date, expiresAt: Date): number {
  return expiresAt.getTime() - createdAt.getTime();
}

async function lockKey(
  client: pg.ClientBase,
  input: { keyId: string; organizationId?: string | undefined },
): Promise<ApiKeyRow> {
  const { rows } = isUuid(input.keyId)
    ? await client.query<ApiKeyRow>(
        `select ${apiKeyColumns} from api_keys where id = $1 and ($2::uuid is null or organization_id = $2) for update`,
        [input.keyId, input.organizationId ?? null],
      )
    : { rows: [] };
  if (!rows[0]) throw notFoundError(`There is no API key ${input.keyId}`);
  return rows[0];
}

function checkPermissions(wanted: readonly string[]): Permission[] {
  const unknown = wanted.find((permission) => !isPermission(permission));
  if (unknown !== undefined) {
    throw invalidInput(`"${unknown}" is not a permission; there are ${permissions.join(", ")}`);
  }
  if (wanted.length === 0) throw invalidInput("A key needs at least one permission");
  return permissions.filter((permission) => wanted.includes(permission));
}

function checkExpiry(expiresAt: Date | undefined): Date | null {
  if (!expiresAt) return null;
  if (Number.isNaN(expiresAt.getTime())) throw invalidInput("The expiry must be a date and time in ISO 8601");
  if (expiresAt.getTime() <= nowMs()) throw invalidInput("The expiry must be in the future");
  return expiresAt;
}

/** Keys by id, to be shown with the requests that used them. */
export type ShownKeys = Map<string, { uuid: string; name: string; prefix: string }>;

/** A separate query from the runs and leads, because keys are stored on another server in a cluster. */
export async function findKeys(
  pool: pg.Pool,
  organizationId: string,
  ids: readonly (string | null)[],
): Promise<ShownKeys> {
  const { rows } = await pool.query<{ uuid: string; name: string; prefix: string }>(
    "select id as uuid, name, prefix from api_keys where organization_id = $1 and id = any ($2::uuid[])",
    [organizationId, [...new Set(ids.filter((id) => id !== null))]],
  );
  return new Map(rows.map((key) => [key.uuid, key]));
}

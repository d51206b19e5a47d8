import type { LimitOverride, Permission } from "@gatehouse-parking/contract";

/** A key as it may be shown at any time. The key value itself exists only in the answer to its creation. */
export interface ApiKey {
  uuid: string;
  organizationUuid: string;
  name: string;
  prefix: string;
  permissions: Permission[];
  leadOrigins: string[];
  /** How many leads it takes from one address. An operator sets it. Null: the organization's limit. */
  leadLimit: LimitOverride | null;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  /** The key that it was rotated to; it ends itself at expiresAt. */
  replacedBy: { uuid: string; name: string; prefix: string } | null;
  lastUsedAt: string | null;
  lastUsedAddress: string | null;
}

export interface ApiKeyRow {
  organization_id: string;
  id: string;
  name: string;
  prefix: string;
  permissions: Permission[];
  lead_origins: string[];
  lead_limit: LimitOverride | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  replaced_by: string | null;
  successor_name: string | null;
  successor_prefix: string | null;
  last_used_at: Date | null;
  last_used_address: string | null;
}

const successor = (column: string) =>
  `(select ${column} from api_keys as successor
    where successor.organization_id = api_keys.organization_id and successor.id = api_keys.replaced_by)`;
/** All that toApiKey needs. */
export const apiKeyColumns = `
  organization_id, id, name, prefix, permissions, lead_origins, lead_limit, created_at, expires_at, revoked_at, replaced_by,
  ${successor("name")} as successor_name, ${successor("prefix")} as successor_prefix, last_used_at, last_used_address`;
export function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    uuid: row.id,
    organizationUuid: row.organization_id,
    name: row.name,
    prefix: row.prefix,
    permissions: row.permissions,
    leadOrigins: row.lead_origins,
    leadLimit: row.lead_limit && {
      requests: row.lead_limit.requests,
      windowSeconds: row.lead_limit.windowSeconds,
    },
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    replacedBy:
      row.replaced_by === null
        ? null
        : { uuid: row.replaced_by, name: row.successor_name ?? "", prefix: row.successor_prefix ?? "" },
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    lastUsedAddress: row.last_used_address,
  };
}

/** A lead limit in the format of its column. */
export function storedLimit(limit: LimitOverride | null): string | null {
  return limit && JSON.stringify({ requests: limit.requests, windowSeconds: limit.windowSeconds });
}

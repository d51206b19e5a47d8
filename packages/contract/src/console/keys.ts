import type { Permission } from "../index.js";
import type { Timestamp, Uuid } from "./common.js";

export interface ConsoleApiKey {
  uuid: Uuid;
  organizationUuid: Uuid;
  name: string;
  /** The beginning of the key, as much as may be shown. */
  prefix: string;
  permissions: Permission[];
  leadOrigins: string[];
  createdAt: Timestamp;
  expiresAt: Timestamp | null;
  revokedAt: Timestamp | null;
  lastUsedAt: Timestamp | null;
  lastUsedAddress: string | null;
}
export interface ApiKeyList {
  data: ConsoleApiKey[];
}
export interface CreateApiKeyRequest {
  name: string;
  /** Absent: all. */
  permissions?: Permission[];
  /** Absent: never. */
  expiresAt?: Timestamp;
  leadOrigins?: string[];
}
/** The only answer that ever holds the key. */
export interface CreatedApiKey extends ConsoleApiKey {
  key: string;
}
export interface RotateApiKeyRequest {
  /** How long the old key goes on, at most 90 days. */
  overlapMs: number;
}

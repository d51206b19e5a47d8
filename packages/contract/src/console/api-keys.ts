import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { permissions } from "../permissions.js";
import { wireTimestamp } from "../schema/answers.js";
import { timestamp, uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { exportOf } from "./exports.js";
import { clearable, editedVersion, nullable, typed, typedList, version, word } from "./fields.js";
import { limitNumbers, typedLimit } from "./organization-limits.js";

const keyFields = {
  uuid: uuid(),
  organizationUuid: uuid(),
  name: Type.String(),
  prefix: Type.String({ description: "The visible beginning of the key." }),
  permissions: Type.Array(word(permissions)),
  leadOrigins: Type.Array(Type.String()),
  leadLimit: nullable(limitNumbers("Of its leads, for each address. Null: the organization's.")),
  createdAt: wireTimestamp(),
  expiresAt: nullable(wireTimestamp()),
  revokedAt: nullable(wireTimestamp()),
  replacedBy: nullable(
    Type.Object(
      { uuid: uuid(), name: Type.String(), prefix: Type.String() },
      { description: "The key that replaces this one, which stops working at expiresAt." },
    ),
  ),
  lastUsedAt: nullable(wireTimestamp()),
  lastUsedAddress: nullable(Type.String()),
  version: version(),
};
export const ConsoleApiKey = Type.Object(keyFields, { $id: "ConsoleApiKey" });
export type ConsoleApiKey = Static<typeof ConsoleApiKey>;

export const CreatedApiKey = Type.Object(
  {
    ...keyFields,
    key: Type.String({ description: "Returned only when the key is created." }),
  },
  { $id: "CreatedApiKey" },
);
export type CreatedApiKey = Static<typeof CreatedApiKey>;

const CreateApiKeyRequest = Type.Object({
  name: typed(),
  permissions: Type.Optional(Type.Array(word(permissions), { description: "Absent: all." })),
  expiresAt: Type.Optional(timestamp({ description: "Absent: never." })),
  leadOrigins: Type.Optional(typedList()),
});
export type CreateApiKeyRequest = Static<typeof CreateApiKeyRequest>;

const ChangeApiKeyRequest = Type.Object({
  name: Type.Optional(typed()),
  permissions: Type.Optional(Type.Array(word(permissions))),
  expiresAt: Type.Optional(clearable(timestamp({ description: "null: never." }))),
  leadOrigins: Type.Optional(typedList()),
  version: editedVersion(),
});
export type ChangeApiKeyRequest = Static<typeof ChangeApiKeyRequest>;

const list = { method: "GET", path: `${organization}/api-keys`, role: "viewer" } as const;

export const apiKeyOperations = {
  listApiKeys: {
    ...list,
    summary: "List the API keys of an organization",
    answer: Type.Object({ data: Type.Array(ConsoleApiKey) }),
  },
  downloadApiKeys: exportOf(list, { what: "API keys of an organization", query: Type.Object({}) }),
  getApiKey: {
    method: "GET",
    path: `${organization}/api-keys/:keyUuid`,
    role: "viewer",
    summary: "One key",
    answer: ConsoleApiKey,
  },
  createApiKey: {
    method: "POST",
    path: `${organization}/api-keys`,
    role: "admin",
    audited: true,
    summary: "Create a key",
    body: CreateApiKeyRequest,
    answer: CreatedApiKey,
  },
  changeApiKey: {
    method: "PATCH",
    path: `${organization}/api-keys/:keyUuid`,
    role: "admin",
    audited: true,
    summary: "Change a key's name, permissions, expiry or origins",
    description: "Absent fields do not change. Takes effect with the key's next request.",
    body: ChangeApiKeyRequest,
    answer: ConsoleApiKey,
  },
  changeLeadLimit: {
    method: "PATCH",
    path: `${organization}/api-keys/:keyUuid/lead-limit`,
    role: "operator",
    audited: true,
    summary: "Set or remove the lead limit of a key",
    description: "Counted per client address. Overrides the limit of the organization.",
    body: Type.Object({
      leadLimit: Type.Optional(typedLimit("null: the organization's.")),
      version: editedVersion(),
    }),
    answer: ConsoleApiKey,
  },
  rotateApiKey: {
    method: "POST",
    path: `${organization}/api-keys/:keyUuid/rotate`,
    role: "admin",
    audited: true,
    summary: "Rotate a key",
    body: Type.Object({
      overlapMs: Type.Number({ description: "How long the old key keeps working, at most 90 days." }),
    }),
    answer: CreatedApiKey,
  },
  revokeApiKey: {
    method: "POST",
    path: `${organization}/api-keys/:keyUuid/revoke`,
    role: "admin",
    audited: true,
    summary: "Revoke a key immediately",
    answer: ConsoleApiKey,
  },
} as const satisfies Record<string, ConsoleOperation>;

import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { momentOf } from "../../clock.js";
import {
  changeApiKey,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  showApiKey,
  versionOfKey,
} from "../../organizations/api-keys.js";
import type { ApiKey } from "../../organizations/api-key-row.js";
import { readLimitOverride } from "../../organizations/limit-overrides.js";
import { UserError } from "../../refusals/user-error.js";
import { defineConsoleOperation } from "../define-operation.js";
import { createIdempotently } from "../idempotent-create.js";

/** Organization Settings, API Keys. Only the answers that create a key contain its value. */
export async function apiKeyHandlers(app: FastifyInstance): Promise<void> {
  defineConsoleOperation(app, "listApiKeys", async ({ pool, organizationId }) => ({
    data: (await listApiKeys(pool, organizationId)).map(withVersion),
  }));

  defineConsoleOperation(app, "getApiKey", async ({ pool, organizationId, params }) =>
    withVersion(await showApiKey(pool, organizationId, params.keyUuid)),
  );

  defineConsoleOperation(app, "createApiKey", async ({ pool, organizationId, actor, body, request }) => {
    const input = { ...body, expiresAt: momentOf(body.expiresAt), organizationId, actor };
    return withVersion(
      await createIdempotently(pool, request, {
        make: (client) => createApiKey(client, input),
        show: refuseToShow,
      }),
    );
  });

  defineConsoleOperation(app, "changeApiKey", async ({ pool, organizationId, actor, params, body }) => {
    const expiresAt = body.expiresAt === null ? null : momentOf(body.expiresAt);
    const changes = { ...body, expiresAt, keyId: params.keyUuid, organizationId, actor };
    return withVersion(await changeApiKey(pool, changes));
  });

  defineConsoleOperation(app, "changeLeadLimit", async ({ pool, organizationId, actor, params, body }) => {
    const leadLimit = body.leadLimit === undefined ? undefined : readLimitOverride(body.leadLimit);
    const changes = { leadLimit, version: body.version, keyId: params.keyUuid, organizationId, actor };
    return withVersion(await changeApiKey(pool, changes));
  });

  defineConsoleOperation(app, "rotateApiKey", async ({ pool, organizationId, actor, params, body }) =>
    withVersion(await rotateApiKey(pool, { keyId: params.keyUuid, organizationId, actor, ...body })),
  );

  defineConsoleOperation(app, "revokeApiKey", async ({ pool, organizationId, actor, params }) =>
    withVersion(await revokeApiKey(pool, { keyId: params.keyUuid, organizationId, actor })),
  );
}

function withVersion<Key extends ApiKey>(key: Key): Key & { version: string } {
  return { ...key, version: versionOfKey(key) };
}

function refuseToShow(_client: pg.PoolClient, uuid: string): never {
  const told = `The key ${uuid} was already created by the same request, which showed its value`;
  throw new UserError("conflict", [`${told}. Revoke it and create another if it is lost`]);
}

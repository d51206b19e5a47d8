import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { momentOf } from "../../moments.js";
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from "../../organizations/api-keys.js";
import { ConsoleRefused } from "../../refusals/console-refused.js";
import { defineConsoleOperation } from "../define-operation.js";
import { makeOnce } from "../make-once.js";

/** Organization Settings, API Keys. The key's value is in the answers that create one, and nowhere else ever. */
export async function apiKeyHandlers(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineConsoleOperation(app, "listApiKeys", async ({ organizationId }) => ({
    data: await listApiKeys(pool, organizationId),
  }));

  defineConsoleOperation(app, "createApiKey", ({ organizationId, actor, body, request }) => {
    const input = { ...body, expiresAt: momentOf(body.expiresAt), organizationId, actor };
    return makeOnce(pool, request, { make: (client) => createApiKey(client, input), show: refuseToShow });
  });

  defineConsoleOperation(app, "rotateApiKey", ({ organizationId, actor, params, body }) =>
    rotateApiKey(pool, { keyId: params.keyUuid, organizationId, actor, ...body }),
  );

  defineConsoleOperation(app, "revokeApiKey", ({ organizationId, actor, params }) =>
    revokeApiKey(pool, { keyId: params.keyUuid, organizationId, actor }),
  );
}

function refuseToShow(_client: pg.PoolClient, uuid: string): never {
  const told = `The key ${uuid} was made by the same request already, and its value shown then`;
  throw new ConsoleRefused("conflict", [`${told}. Revoke it and create another if it is lost`]);
}

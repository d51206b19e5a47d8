import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from "../../organizations/api-keys.js";
import { defineRoute } from "../access.js";
import { readBody } from "../body.js";
import { makeOnce } from "../make-once.js";
import { uuidParameter } from "../parameters.js";
import { ConsoleRefused } from "../../refusals/console-refused.js";

/** Organization Settings, API Keys. The key's value is in the answers that create one, and nowhere else ever. */
export async function keyRoutes(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineRoute(app, "listApiKeys", async (request) => ({
    data: await listApiKeys(pool, request.organization.id),
  }));

  defineRoute(app, "createApiKey", async (request) => {
    const body = readBody(request);
    const input = {
      name: body.text("name"),
      permissions: body.optionalTexts("permissions"),
      expiresAt: body.optionalTimestamp("expiresAt"),
      leadOrigins: body.optionalTexts("leadOrigins"),
    };
    body.check();
    const organizationId = request.organization.id;
    return makeOnce(pool, request, {
      make: (client) => createApiKey(client, { ...input, organizationId, actor: request.person.email }),
      show: (_client, uuid) => {
        const told = `The key ${uuid} was made by the same request already, and its value shown then`;
        throw new ConsoleRefused("conflict", [`${told}. Revoke it and create another if it is lost`]);
      },
    });
  });

  defineRoute(app, "rotateApiKey", async (request) => {
    const body = readBody(request);
    const overlapMs = body.number("overlapMs");
    body.check();
    return rotateApiKey(pool, {
      keyId: uuidParameter(request, "keyUuid"),
      organizationId: request.organization.id,
      overlapMs,
      actor: request.person.email,
    });
  });

  defineRoute(app, "revokeApiKey", async (request) =>
    revokeApiKey(pool, {
      keyId: uuidParameter(request, "keyUuid"),
      organizationId: request.organization.id,
      actor: request.person.email,
    }),
  );
}

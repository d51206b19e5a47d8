import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { createOrganization, showOrganization } from "../../organizations/organizations.js";
import { defineRoute } from "../access.js";
import { readBody } from "../body.js";
import { makeOnce } from "../make-once.js";
import { readQuery } from "../query.js";
import { findOrganizations } from "../../organizations/find-organizations.js";

export async function organizationRoutes(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineRoute(app, "listOrganizations", async (request) =>
    findOrganizations(pool, request.person.organizationId, readQuery(request).text("query")),
  );

  defineRoute(app, "createOrganization", async (request) => {
    const body = readBody(request);
    const name = body.text("name");
    body.check();
    const created = await makeOnce(pool, request, {
      make: (client) => createOrganization(client, { name, actor: request.person.email }),
      show: (client, uuid) => showOrganization(client, uuid),
    });
    return { uuid: created.uuid, name: created.name, isDemo: false, createdAt: created.createdAt };
  });
}

import type { FastifyInstance } from "fastify";
import {
  findOrganizations,
  createOrganization,
  showOrganization,
} from "../../organizations/organizations.js";
import { defineConsoleOperation } from "../define-operation.js";
import { createIdempotently } from "../idempotent-create.js";

export async function organizationHandlers(app: FastifyInstance): Promise<void> {
  defineConsoleOperation(app, "listOrganizations", ({ pool, person, query: { query, sort, ...page } }) =>
    findOrganizations(pool, {
      userId: person.role === "operator" ? null : person.id,
      text: query,
      sort,
      page,
    }),
  );

  defineConsoleOperation(app, "createOrganization", async ({ pool, actor, body, request }) => {
    const { uuid, name, createdAt } = await createIdempotently(pool, request, {
      make: (client) => createOrganization(client, { ...body, actor }),
      show: (client, organizationId) => showOrganization(client, organizationId),
    });
    return { uuid, name, isDemo: false, createdAt };
  });
}

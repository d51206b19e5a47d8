import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { createOrganization, showOrganization } from "../../organizations/organizations.js";
import { defineRoute } from "../access.js";
import type { OrganizationList, OrganizationSummary } from "../api.js";
import { readBody } from "../body.js";
import { makeOnce } from "../make-once.js";
import { readQuery } from "../query.js";
import type { OrganizationInView } from "../sessions/find-session.js";

const maxListedOrganizations = 200;

interface OrganizationRow {
  id: string;
  name: string;
  is_demo: boolean;
  created_at: Date;
}

export async function organizationRoutes(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineRoute(app, "listOrganizations", async (request) =>
    listOrganizations(pool, request.person.organizationId, readQuery(request).text("query")),
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

/** All organizations for an operator (`onlyId` null), their own for others. */
async function listOrganizations(
  pool: pg.Pool,
  onlyId: string | null,
  text: string | undefined,
): Promise<OrganizationList> {
  const { rows } = await pool.query<OrganizationRow>(
    `select id, name, is_demo, created_at from organizations
     where ($1::uuid is null or id = $1) and position($2 in lower(name)) > 0
     order by name, id limit $3`,
    [onlyId, (text ?? "").toLowerCase().replaceAll("\u0000", "\uffff"), maxListedOrganizations + 1],
  );
  const organizations = rows.map((row) =>
    toOrganizationSummary({ id: row.id, name: row.name, isDemo: row.is_demo, createdAt: row.created_at }),
  );
  return {
    data: organizations.slice(0, maxListedOrganizations),
    truncated: organizations.length > maxListedOrganizations,
  };
}

export function toOrganizationSummary(organization: OrganizationInView): OrganizationSummary {
  return {
    uuid: organization.id,
    name: organization.name,
    isDemo: organization.isDemo,
    createdAt: organization.createdAt.toISOString(),
  };
}

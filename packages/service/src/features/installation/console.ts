import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { listOrganizationHealth } from "./list-health.js";
import type { HealthRefresh } from "./refresh-health.js";
import { searchEverywhere } from "./search-everywhere.js";
import { readServiceHealth, type ServiceParts } from "./service-health.js";
import { listInstallationAudit } from "../../core/audit/list-audit.js";
import { defineConsoleOperation } from "../../core/console/define-operation.js";
import { listOperatorsForConsole } from "../../core/organizations/operators.js";

export interface InstallationParts extends Omit<ServiceParts, "pool"> {
  pool: pg.Pool;
  healthRefresh: Pick<HealthRefresh, "beforeView">;
  isRequestLogKept: boolean;
}

/** Operator-only pages: all organizations, the health of the service, and a search through both. */
export async function installationHandlers(app: FastifyInstance, parts: InstallationParts): Promise<void> {
  const { pool, healthRefresh, isRequestLogKept } = parts;

  defineConsoleOperation(app, "listOrganizationHealth", async ({ query: { query, sort, ...page } }) => {
    await healthRefresh.beforeView();
    return listOrganizationHealth(pool, { text: query, sort, page });
  });

  defineConsoleOperation(app, "getServiceHealth", () => readServiceHealth(parts));

  defineConsoleOperation(app, "listInstallationAudit", ({ query }) => listInstallationAudit(pool, query));

  defineConsoleOperation(app, "listOperators", async () => ({ data: await listOperatorsForConsole(pool) }));

  defineConsoleOperation(app, "searchEverywhere", ({ query: { q = "" } }) =>
    searchEverywhere(pool, { typed: q, isRequestLogKept }),
  );
}

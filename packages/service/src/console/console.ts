import cookie from "@fastify/cookie";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.js";
import type { Database } from "../database/pool.js";
import { guardConsole } from "./access.js";
import { auditRoutes } from "./audit/routes.js";
import { keyRoutes } from "./keys/routes.js";
import { memberRoutes } from "./members/routes.js";
import { organizationRoutes } from "./organizations/routes.js";
import { pages } from "./pages/pages.js";
import { renderConsoleError } from "./refusals.js";
import { sessionRoutes } from "./sessions/routes.js";

export interface ConsoleParts {
  config: Config;
  database: Database;
}

/** The administration console: its own HTTP interface under /console/api, and its pages everywhere else. */
export async function administrationConsole(app: FastifyInstance, { database }: ConsoleParts): Promise<void> {
  const pool = database.work;
  await app.register(async (api) => {
    await api.register(cookie);
    api.setErrorHandler(renderConsoleError);
    guardConsole(api, database.gate);

    await api.register(sessionRoutes, { database });
    await api.register(organizationRoutes, { pool });
    await api.register(memberRoutes, { pool });
    await api.register(keyRoutes, { pool });
    await api.register(auditRoutes, { pool });
  });
  await app.register(pages);
}

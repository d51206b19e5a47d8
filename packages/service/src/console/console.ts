import cookie from "@fastify/cookie";
import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.js";
import type { Database } from "../database/pool.js";
import type { Intake } from "../imports/intake.js";
import type { SecretKeySource } from "../organizations/secret-key.js";
import { guardConsole } from "./access.js";
import { auditRoutes } from "./handlers/audit.js";
import { keyRoutes } from "./handlers/api-keys.js";
import { leadRoutes } from "./handlers/leads.js";
import type { ConsoleLimits } from "./limits.js";
import { locationRoutes } from "./handlers/locations.js";
import { memberRoutes } from "./handlers/members.js";
import { organizationRoutes } from "./handlers/organizations.js";
import { overviewRoutes } from "./handlers/overview.js";
import { pages } from "./pages/pages.js";
import { recordRoutes } from "./handlers/records.js";
import { renderConsoleError } from "../refusals/render-console-error.js";
import { runRoutes } from "./handlers/runs.js";
import { sandboxRoutes } from "./handlers/sandbox.js";
import { searchRoutes } from "./handlers/search.js";
import { sessionRoutes } from "./handlers/sessions.js";
import { settingsRoutes } from "./handlers/settings.js";
import { uploadRoutes } from "./handlers/upload.js";

export interface ConsoleParts {
  config: Config;
  database: Database;
  limits: Record<OperationName, RateLimit>;
  intake: Intake;
  secretKey: SecretKeySource;
  consoleLimits: ConsoleLimits | undefined;
}

/** The administration console: its own HTTP interface under /console/api, and its pages everywhere else. */
export async function administrationConsole(app: FastifyInstance, parts: ConsoleParts): Promise<void> {
  const { config, database, limits, intake, secretKey, consoleLimits } = parts;
  const pool = database.console;
  await app.register(async (api) => {
    await api.register(cookie);
    api.setErrorHandler(renderConsoleError);
    guardConsole(api, { pool, publicUrl: config.publicUrl, limits: consoleLimits });

    await api.register(sessionRoutes, { pool, publicUrl: config.publicUrl });
    await api.register(organizationRoutes, { pool });
    await api.register(memberRoutes, { pool });
    await api.register(keyRoutes, { pool });
    await api.register(auditRoutes, { pool });
    await api.register(settingsRoutes, { pool, secretKey });
    await api.register(locationRoutes, { pool });
    await api.register(runRoutes, { pool });
    await api.register(searchRoutes, { pool });
    await api.register(recordRoutes, { pool });
    await api.register(leadRoutes, { pool });
    await api.register(overviewRoutes, { pool, limits });
    await api.register(uploadRoutes, { intake, limits });
    await api.register(sandboxRoutes, { pool, limits });
  });
  await app.register(pages);
}

import cookie from "@fastify/cookie";
import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.js";
import type { Database } from "../database/pool.js";
import type { SecretKeySource } from "../organizations/secret-key.js";
import { guardConsole } from "./access.js";
import { accountHandlers } from "./handlers/account.js";
import { auditHandlers } from "./handlers/audit.js";
import { apiKeyHandlers } from "./handlers/api-keys.js";
import { installationHandlers, type InstallationParts } from "../../features/installation/console.js";
import { interfaceHandlers } from "./handlers/interface.js";
import { leadHandlers } from "./handlers/leads.js";
import type { ConsoleLimits } from "./limits.js";
import { listExportHandlers } from "./handlers/list-exports.js";
import { locationHandlers } from "./handlers/locations.js";
import { memberHandlers } from "./handlers/members.js";
import { organizationHandlers } from "./handlers/organizations.js";
import { overviewHandlers } from "../../features/overview/console.js";
import { pages } from "./pages/pages.js";
import { peopleHandlers } from "../../features/people/console.js";
import { recordHandlers } from "./handlers/records.js";
import { renderConsoleError } from "../refusals/render-console-error.js";
import { requestHandlers } from "../../features/request-log/console.js";
import { runHandlers } from "./handlers/runs.js";
import { sandboxHandlers } from "../../features/sandbox/console.js";
import { searchHandlers } from "../../features/search/console.js";
import { sessionHandlers } from "./handlers/sessions.js";
import { settingsHandlers } from "./handlers/settings.js";
import { savedViewHandlers } from "../../features/saved-views/console.js";
import { fileUploadHandlers } from "../../features/uploads/console.js";
import { mappingHandlers } from "../../features/uploads/mappings/console.js";
import { wholeExportHandlers } from "../../features/exports/console.js";
import type { UploadWorker } from "../../features/uploads/work/worker.js";

export interface ConsoleParts {
  config: Config;
  database: Database;
  limits: Record<OperationName, RateLimit>;
  secretKey: SecretKeySource;
  consoleLimits: ConsoleLimits | undefined;
  uploads: Pick<UploadWorker, "wake" | "tidy">;
  installation: Omit<InstallationParts, "pool" | "config" | "isRequestLogKept">;
}

/** The administration console: its own HTTP interface under /console/api, and its pages everywhere else. */
export async function administrationConsole(app: FastifyInstance, parts: ConsoleParts): Promise<void> {
  const { config, database, limits, secretKey, consoleLimits, uploads, installation } = parts;
  const pool = database.console;
  await app.register(async (api) => {
    await api.register(cookie);
    api.setErrorHandler(renderConsoleError);
    guardConsole(api, { pool, publicUrl: config.publicUrl, limits: consoleLimits });

    await api.register(sessionHandlers, { pool, config, secretKey });
    await api.register(accountHandlers, { pool, secretKey });
    await api.register(organizationHandlers, { pool });
    await api.register(installationHandlers, {
      pool,
      config,
      isRequestLogKept: config.requestLogDays > 0,
      ...installation,
    });
    await api.register(memberHandlers, { pool });
    await api.register(apiKeyHandlers, { pool });
    await api.register(auditHandlers, { pool });
    await api.register(settingsHandlers, { pool, secretKey, limits, config });
    await api.register(locationHandlers, { pool });
    const requestLog = { days: config.requestLogDays, rows: config.requestLogRows };
    await api.register(requestHandlers, { pool, bounds: requestLog });
    await api.register(runHandlers, {
      pool,
      undoDays: config.undoDays,
      sentValuesDays: config.sentValuesDays,
    });
    await api.register(searchHandlers, { pool });
    await api.register(recordHandlers, { pool });
    await api.register(leadHandlers, { pool });
    await api.register(peopleHandlers, { pool });
    await api.register(overviewHandlers, { pool, limits });
    await api.register(fileUploadHandlers, { pool, settings: config, worker: uploads });
    await api.register(mappingHandlers, { pool });
    await api.register(savedViewHandlers, { pool });
    await api.register(listExportHandlers, { pool, requestLog, uploads: config });
    await api.register(wholeExportHandlers, { pool: database.exports });
    await api.register(sandboxHandlers, { pool, limits });
    await api.register(interfaceHandlers);
  });
  await app.register(pages);
}

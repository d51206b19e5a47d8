import cookie from "@fastify/cookie";
import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.js";
import type { Database } from "../database/pool.js";
import { rejectEveryCode } from "../organizations/second-factor.js";
import type { SecretKeySource } from "../organizations/secrets.js";
import type { Feature, RegisteredFeature } from "../feature.js";
import { findRemovedBy } from "../records/removed-records.js";
import type { DefineExport } from "./define-export.js";
import { guardConsole } from "./access.js";
import { auditHandlers } from "./handlers/audit.js";
import { apiKeyHandlers } from "./handlers/api-keys.js";
import { interfaceHandlers } from "./handlers/interface.js";
import { leadHandlers } from "./handlers/leads.js";
import type { ConsoleLimits } from "./limits.js";
import { listExportHandlers } from "./handlers/list-exports.js";
import { locationHandlers } from "./handlers/locations.js";
import { memberHandlers } from "./handlers/members.js";
import { organizationHandlers } from "./handlers/organizations.js";
import { pages } from "./pages/pages.js";
import { recordHandlers } from "./handlers/records.js";
import { renderConsoleError } from "../refusals/render-console-error.js";
import { runHandlers } from "./handlers/runs.js";
import { sessionHandlers } from "./handlers/sessions.js";
import { settingsHandlers } from "./handlers/settings.js";

export interface ConsoleParts {
  config: Config;
  database: Database;
  limits: Record<OperationName, RateLimit>;
  secretKey: SecretKeySource;
  consoleLimits: ConsoleLimits | undefined;
  features: readonly Feature[];
  registered: readonly RegisteredFeature[];
  defineExport: DefineExport;
}

/** The administration console: its own HTTP interface under /console/api, and its pages everywhere else. */
export async function administrationConsole(app: FastifyInstance, parts: ConsoleParts): Promise<void> {
  const { config, database, limits, secretKey, consoleLimits, features, registered, defineExport } = parts;
  const pool = database.console;
  await app.register(async (api) => {
    await api.register(cookie);
    api.setErrorHandler(renderConsoleError);
    guardConsole(api, { pool, publicUrl: config.publicUrl, limits: consoleLimits });

    const [verifyCode = rejectEveryCode] = registered.flatMap((feature) => feature.verifyCode ?? []);
    const [provider = null] = registered.flatMap(({ signInProvider }) => signInProvider ?? []);
    await api.register(sessionHandlers, { pool, config, features, verifyCode, provider });
    await api.register(organizationHandlers);
    await api.register(memberHandlers, { features });
    await api.register(apiKeyHandlers);
    await api.register(auditHandlers, { pool });
    await api.register(settingsHandlers, { secretKey, limits });
    await api.register(locationHandlers);
    await api.register(runHandlers, {
      describe: registered.flatMap(({ describeRun }) => describeRun ?? []),
    });
    await api.register(recordHandlers, { pool, findRemoved: findRemovedBy(features) });
    await api.register(leadHandlers);
    await api.register(listExportHandlers, { pool, defineExport });
    for (const { consoleOperations } of registered)
      if (consoleOperations) await api.register(consoleOperations);
    await api.register(interfaceHandlers);
  });
  await app.register(pages);
}

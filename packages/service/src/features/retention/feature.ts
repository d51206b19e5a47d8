import type { Feature } from "../../core/feature.js";
import { variables } from "./environment.js";
import { findDeleted } from "./find-deleted.js";
import { retentionSettings } from "./settings.js";

/** Deletes data that is older than an organization wants to keep, and counts what it stores. */
export const retention: Feature = {
  name: "retention",
  requires: ["request-log"],
  environment: { variables },
  organizationSettings: retentionSettings,
  commandAdditions: {
    configureOrganization: async () => (await import("./confirm-deletion.js")).configureAddition,
    showOrganization: async () => (await import("./organization-facts.js")).showAddition,
  },
  verifyChecks: async () => (await import("./verify.js")).deletedChecks,
  findRemoved: async (...asked) => ({ deleted: await findDeleted(...asked) }),
  async register({ app, config, database, secretKey }) {
    const [{ retentionHandlers }, { RetentionSweep }, { retentionRules }] = await Promise.all([
      import("./console.js"),
      import("./sweep.js"),
      import("./preview-deletion.js"),
    ]);
    const sweep = new RetentionSweep(database.console, { log: app.log, rules: retentionRules(config) });
    return {
      consoleOperations: (api) => retentionHandlers(api, { secretKey, config }),
      jobs: [{ name: "retention sweep", run: () => sweep.sweep() }],
    };
  },
};

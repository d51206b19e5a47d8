import type { Feature } from "../../core/feature.js";
import { readInteger } from "../../core/config/readers.js";
import { findDeletedRecords } from "./deleted-records.js";
import { storeIdenticalResendsOnce } from "./identical-resends.js";
import { retentionSettings } from "./settings.js";

declare module "../../core/config/settings.js" {
  interface Settings {
    /** How long a shorter retention period waits before it deletes anything. */
    retentionGraceHours: number;
  }
}

/** Deletes data that is older than an organization wants to keep, and counts what it stores. */
export const retention: Feature = {
  name: "retention",
  requires: ["request-log", "rejected-values", "overview"],
  environment: {
    variables: {
      retentionGraceHours: {
        name: "GATEHOUSE_RETENTION_GRACE_HOURS",
        read: (text) => readInteger(text, 0, 720),
        whenUnset: 24,
        shownDefault: "24",
        description:
          "How many hours a shorter retention period that deletes data waits before it takes effect. Until then it can be cancelled. 0: it takes effect within minutes.",
      },
    },
  },
  organizationSettings: retentionSettings,
  commandAdditions: {
    configureOrganization: async () => (await import("./cli.js")).configureAddition,
    showOrganization: async () => (await import("./cli.js")).showAddition,
  },
  verifyChecks: async () => (await import("./verify.js")).deletedChecks,
  afterImport: () => ({ storeExceptions: storeIdenticalResendsOnce }),
  findRemoved: async (...query) => ({ deleted: await findDeletedRecords(...query) }),
  async register({ app, config, database, secretKey }) {
    const [{ retentionHandlers }, { RetentionSweep }] = await Promise.all([
      import("./console.js"),
      import("./sweep.js"),
    ]);
    const sweep = new RetentionSweep(database.console, { log: app.log, config });
    return {
      consoleOperations: (api) => retentionHandlers(api, { secretKey, config }),
      jobs: [{ name: "retention sweep", run: () => sweep.sweep() }],
    };
  },
};

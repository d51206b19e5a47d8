import type { Feature } from "../../core/feature.js";
import { readLimits } from "../../core/organizations/limit-overrides.js";
import { variables } from "./limits.js";
import type { UploadWorker } from "./work/worker.js";

declare module "fastify" {
  interface FastifyInstance {
    uploads: UploadWorker;
  }
}

/** Imports files that users upload in the console, in the background. */
export const uploads: Feature = {
  name: "uploads",
  requires: ["undo"],
  environment: { variables },
  storedTables: async () => (await import("./stored-tables.js")).uploadTables,
  verifyChecks: async () => (await import("./stored-tables.js")).uploadChecks,
  async register({ app, config, database, imports, admission, limits, defineExport }) {
    const [{ mappingHandlers, uploadHandlers }, { UploadWorker: Worker }] = await Promise.all([
      import("./console.js"),
      import("./work/worker.js"),
    ]);
    const worker = new Worker({
      pool: database.work,
      imports,
      admission,
      limiter: app.rateLimiter,
      settings: config,
      log: app.log,
      limitsOf: (organizationId) => readLimits(database.work, organizationId, limits),
    });
    app.decorate("uploads", worker);
    app.metrics.watchSlots("uploads", worker);
    return {
      async consoleOperations(api) {
        await api.register(uploadHandlers, { settings: config, worker, defineExport });
        await api.register(mappingHandlers);
      },
      start: () => worker.start(),
      close: () => worker.close(),
    };
  },
};

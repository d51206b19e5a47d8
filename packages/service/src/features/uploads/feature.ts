import { uploadSchemas } from "@gatehouse-parking/contract";
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
  async register({ app, config, database, imports, admission, limits, reads, defineExport }) {
    const [
      { mappingHandlers, uploadHandlers },
      { uploadRoutes },
      { pieceSemaphore },
      { UploadWorker: Worker },
    ] = await Promise.all([
      import("./console.js"),
      import("./routes.js"),
      import("./piece-bodies.js"),
      import("./work/worker.js"),
    ]);
    const parts = { pool: database.work, imports, admission, settings: config };
    const worker = new Worker({ ...parts, log: app.log });
    const corrections = {
      ...parts,
      limiter: app.rateLimiter,
      limitsOf: (organizationId: string) => readLimits(database.work, organizationId, limits),
    };
    app.decorate("uploads", worker);
    app.metrics.watchSlots("uploads", worker);
    for (const schema of uploadSchemas) app.addSchema(schema);
    const shared = { settings: config, worker, pieces: pieceSemaphore() };
    return {
      async routes(api) {
        await api.register(uploadRoutes, { ...shared, pool: database.work, reads });
      },
      async consoleOperations(api) {
        await api.register(uploadHandlers, { ...shared, corrections, defineExport });
        await api.register(mappingHandlers);
      },
      start: () => worker.start(),
      close: () => worker.close(),
    };
  },
};

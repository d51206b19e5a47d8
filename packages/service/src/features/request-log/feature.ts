import type { Feature } from "../../core/feature.js";
import { variables } from "./environment.js";
import { PendingLines } from "./pending-lines.js";

/** Keeps and shows the requests of each API key. They are written together with the usage of the keys. */
export const requestLog: Feature = {
  name: "request-log",
  environment: { variables },
  observeRequests: ({ requestLogDays }) => (requestLogDays > 0 ? new PendingLines() : undefined),
  async register({ config, database, defineExport }) {
    const [{ requestHandlers }, { RequestLogSweep }] = await Promise.all([
      import("./console.js"),
      import("./sweep-request-log.js"),
    ]);
    const pool = database.console;
    const bounds = { days: config.requestLogDays, rows: config.requestLogRows };
    const sweep = new RequestLogSweep(pool, bounds);
    return {
      consoleOperations: (api) => requestHandlers(api, { pool, bounds, defineExport }),
      jobs: [{ name: "request log sweep", run: () => sweep.sweep() }],
    };
  },
};

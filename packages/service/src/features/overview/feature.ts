import type { Feature } from "../../core/feature.js";
import { clockSignStatements } from "./clock-signs.js";

/** The first page of an organization: outcomes over time, reasons, local business days, time zone warnings. */
export const overview: Feature = {
  name: "overview",
  afterImport: { withRun: clockSignStatements },
  async register({ database, limits }) {
    const { overviewHandlers } = await import("./console.js");
    return { consoleOperations: (api) => overviewHandlers(api, { pool: database.console, limits }) };
  },
};

import type { Feature } from "../../core/feature.js";
import { RunDetailsSweep } from "../../core/organizations/run-details-sweep.js";
import { clockSigns, clockSignStatements } from "./clock-signs.js";

/** The first page of an organization: outcomes over time, reasons, local business days, time zone warnings. */
export const overview: Feature = {
  name: "overview",
  afterImport: () => ({ withRun: clockSignStatements }),
  async register({ database, limits }) {
    const { overviewHandlers } = await import("./console.js");
    const sweep = new RunDetailsSweep(database.console, clockSigns);
    return {
      consoleOperations: (api) => overviewHandlers(api, { pool: database.console, limits }),
      jobs: [{ name: "time zone signs sweep", run: () => sweep.sweep() }],
    };
  },
};

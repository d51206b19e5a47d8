import type { Feature } from "../../core/feature.js";
import { RunDetailsSweep } from "../../core/imports/history/run-details-sweep.js";
import { clockSigns, timeZoneStatements } from "./time-zone-counts.js";

/** Charts of outcomes, reasons and local days, and warnings about wrong time zones. */
export const overview: Feature = {
  name: "overview",
  afterImport: () => ({ withRun: timeZoneStatements }),
  async register({ database }) {
    const { overviewHandlers } = await import("./console.js");
    const sweep = new RunDetailsSweep(database.console, clockSigns);
    return {
      consoleOperations: (api) => overviewHandlers(api, database.console),
      jobs: [{ name: "time zone signs sweep", run: () => sweep.sweep() }],
    };
  },
};

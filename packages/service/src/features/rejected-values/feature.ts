import type { Feature } from "../../core/feature.js";
import { RunDetailsSweep } from "../../core/imports/history/run-details-sweep.js";
import { addRejectedValues } from "./add-to-run.js";
import { variables } from "./environment.js";
import { rejectedValues, storeRejectedValues } from "./rejected-values.js";

/** Stores the rejected field values of failed records for some days, and shows them in the console. */
export const rejectedFieldValues: Feature = {
  name: "rejected-values",
  environment: { variables },
  storedTables: async () => [(await import("./stored-table.js")).rejectedValuesTable],
  verifyChecks: async () => [(await import("./stored-table.js")).rejectedValuesCheck],
  afterImport: ({ sentValuesDays }) => (sentValuesDays > 0 ? { withRecords: storeRejectedValues } : {}),
  register({ config: { sentValuesDays: days }, database: { console: pool } }) {
    const sweep = new RunDetailsSweep(pool, { ...rejectedValues, days });
    return {
      describeRun: (run, detail) => addRejectedValues(pool, run, detail, days),
      jobs: [{ name: "rejected values sweep", run: () => sweep.sweep() }],
    };
  },
};

import type { Feature } from "../../core/feature.js";

/** The pages of operators: all organizations, the health of the service, and a search across organizations. */
export const installation: Feature = {
  name: "installation",
  requires: ["overview"],
  async register(context) {
    const [{ installationHandlers }, { HealthRefresh }] = await Promise.all([
      import("./console.js"),
      import("./refresh-health.js"),
    ]);
    const { app, config, database, failedDatabaseRestarts, limits, isRequestLogKept, describeHealth } =
      context;
    const healthRefresh = new HealthRefresh(database.console, limits);
    const { certificateExpiry, unknownCommits } = app.metrics;
    return {
      consoleOperations: (api) =>
        installationHandlers(api, {
          pool: database.console,
          config,
          instance: app.instance,
          healthRefresh,
          failedDatabaseRestarts,
          certificateExpiry,
          unknownCommits,
          isRequestLogKept,
          describeHealth,
        }),
      jobs: [{ name: "organization health refresh", run: () => healthRefresh.sweep() }],
    };
  },
};

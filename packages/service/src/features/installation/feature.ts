import type { Feature } from "../../core/feature.js";

/** The pages of operators: all organizations, the health of the service, and a search across organizations. */
export const installation: Feature = {
  name: "installation",
  requires: ["overview"],
  async open(service) {
    const [{ installationHandlers }, { HealthRefresh }] = await Promise.all([
      import("./console.js"),
      import("./refresh-health.js"),
    ]);
    const { config, database, failedDatabaseRestarts, instance, areRequestsKept, limits, metrics } = service;
    const healthRefresh = new HealthRefresh(database.console, limits);
    const { certificateExpiry, unknownEnds } = metrics;
    return {
      consoleOperations: (api) =>
        installationHandlers(api, {
          pool: database.console,
          config,
          instance,
          healthRefresh,
          failedDatabaseRestarts,
          certificateExpiry,
          unknownEnds,
          isRequestLogKept: areRequestsKept,
          describeHealth: service.describeHealth,
        }),
      jobs: [{ name: "organization health refresh", run: () => healthRefresh.sweep() }],
    };
  },
};

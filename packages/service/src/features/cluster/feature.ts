import type { Feature } from "../../core/feature.js";

/** Runs on a Citus cluster: distributes the tables and reports what the operator still has to set up. */
export const cluster: Feature = {
  name: "cluster",
  commands: { distribute: async () => (await import("./command.js")).distributeCommand() },
  checkDatabase: async (client) => (await import("./distribute.js")).checkCluster(client),
};

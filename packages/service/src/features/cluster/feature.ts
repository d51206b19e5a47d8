import type { Feature } from "../../core/feature.js";

/** Runs on a Citus cluster: distributes the tables, and says what is left to do there. */
export const cluster: Feature = {
  name: "cluster",
  commands: { distribute: async () => (await import("./command.js")).distributeCommand() },
  async afterMigrate(client) {
    const { undistributedTables } = await import("./distribute.js");
    const undistributed = await undistributedTables(client);
    if (undistributed.length === 0) return undefined;
    return {
      facts: { undistributed },
      text: `Not distributed yet: ${undistributed.join(", ")}. Run: gatehouse distribute`,
    };
  },
  databaseAdvice: async (pool) => (await import("./distribute.js")).slowRecovery(pool),
};

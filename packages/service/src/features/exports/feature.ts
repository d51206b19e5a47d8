import type { Feature } from "../../core/feature.js";

/** Writes all data of an organization to a file, and fills an empty organization from such a file. */
export const wholeExports: Feature = {
  name: "exports",
  commands: {
    export: async (context) => (await import("./commands/export.js")).exportCommand(context),
    "import-export": async (context) =>
      (await import("./commands/import-export.js")).importExportCommand(context),
  },
  async register({ database, features }) {
    const { wholeExportHandlers } = await import("./console.js");
    return { consoleOperations: (api) => wholeExportHandlers(api, { pool: database.exports, features }) };
  },
};

import type { Feature } from "../../core/feature.js";

/** Sample requests that integrators run against the demo organization. */
export const sandbox: Feature = {
  name: "sandbox",
  requires: ["demo"],
  async register({ database, limits, imports: { observers } }) {
    const { sandboxHandlers } = await import("./console.js");
    return {
      consoleOperations: (api) =>
        sandboxHandlers(api, { uncheckedPool: database.console, limits, observers }),
    };
  },
};

import type { Feature } from "../../core/feature.js";

/** Sample requests that integrators run against the demo organization. */
export const sandbox: Feature = {
  name: "sandbox",
  requires: ["demo"],
  async open({ database, limits, observers }) {
    const { sandboxHandlers } = await import("./console.js");
    return {
      consoleOperations: (api) =>
        sandboxHandlers(api, { uncheckedPool: database.console, limits, observers }),
    };
  },
};

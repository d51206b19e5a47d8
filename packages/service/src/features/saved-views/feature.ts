import type { Feature } from "../../core/feature.js";

/** Filters of a list that people keep under a name. */
export const savedViews: Feature = {
  name: "saved-views",
  async register() {
    const { savedViewHandlers } = await import("./console.js");
    return { consoleOperations: (api) => savedViewHandlers(api) };
  },
};

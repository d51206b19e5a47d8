import type { Feature } from "../../core/feature.js";

/** Exports and erases what is stored about a person. */
export const people: Feature = {
  name: "people",
  requires: ["uploads"],
  commands: { person: async () => (await import("./command.js")).personCommand() },
  verifyChecks: async () => [(await import("./erasure-state.js")).erasureCheck],
  async register({ database }) {
    const { peopleHandlers } = await import("./console.js");
    return { consoleOperations: (api) => peopleHandlers(api, { uncheckedPool: database.console }) };
  },
};

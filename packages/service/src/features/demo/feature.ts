import type { Feature } from "../../core/feature.js";
import { variables } from "./environment.js";

/** A demo organization with a month of sample data, and a sandbox to try the interface in. */
export const demo: Feature = {
  name: "demo",
  requires: ["undo", "uploads"],
  environment: { variables },
  onStart: async (context) => (await import("./first-start.js")).createDemoAtStart(context),
  commands: { demo: async (context) => (await import("./command.js")).demoCommand(context) },
};

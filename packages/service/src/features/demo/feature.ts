import { readSwitch } from "../../core/config/readers.js";
import type { Feature } from "../../core/feature.js";

declare module "../../core/config/settings.js" {
  interface Settings {
    /** Undefined: on if the embedded database is empty. */
    demo: boolean | undefined;
  }
}

/** A demo organization with a month of sample data, and a sandbox to try the API in. */
export const demo: Feature = {
  name: "demo",
  requires: ["undo", "uploads"],
  environment: {
    variables: {
      demo: {
        name: "GATEHOUSE_DEMO",
        read: readSwitch,
        whenUnset: undefined,
        shownDefault: "on with an empty embedded database, otherwise off",
        description:
          "Create the demo organization with locations, a key and a console sign-in at startup if it does not exist.",
      },
    },
  },
  onStart: async (context) => (await import("./demo.js")).createDemoAtStart(context),
  commands: { demo: async (context) => (await import("./command.js")).demoCommand(context) },
};

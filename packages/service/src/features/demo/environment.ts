import { readSwitch } from "../../core/config/readers.js";
import type { Variables } from "../../core/config/variables.js";

declare module "../../core/config/settings.js" {
  interface Settings {
    /** Undefined: on if the database is embedded and empty. */
    demo: boolean | undefined;
  }
}

export const variables = {
  demo: {
    name: "GATEHOUSE_DEMO",
    read: readSwitch,
    whenUnset: undefined,
    shownDefault: "on with an empty embedded database, otherwise off",
    description:
      "Create the demo organization with locations, a key and a console sign-in at start, if there is none.",
  },
} satisfies Partial<Variables>;

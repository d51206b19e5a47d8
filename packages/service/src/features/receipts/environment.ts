import { readSwitch } from "../../core/config/readers.js";
import type { Variables } from "../../core/config/variables.js";

declare module "../../core/config/settings.js" {
  interface Settings {
    /** Imports are answered with a signed receipt. */
    receipts: boolean;
  }
}

export const variables = {
  receipts: {
    name: "GATEHOUSE_RECEIPTS",
    read: readSwitch,
    whenUnset: false,
    shownDefault: "off",
    description:
      "on: the answer of every import has a signed receipt in the header X-Import-Receipt, and the public keys are at /.well-known/gatehouse-receipts.json.",
  },
} satisfies Partial<Variables>;

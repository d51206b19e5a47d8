import { readInteger } from "../../core/config/readers.js";
import type { Variables } from "../../core/config/variables.js";

declare module "../../core/config/settings.js" {
  interface Settings {
    /** 0: nothing is stored. */
    sentValuesDays: number;
  }
}

export const variables = {
  sentValuesDays: {
    name: "GATEHOUSE_SENT_VALUES_DAYS",
    read: (text: string) => readInteger(text, 0, 3_650),
    whenUnset: 30,
    shownDefault: "30",
    description:
      "How many days the console can show the rejected field values of failed records. 0: they are not stored; an organization can switch it off for itself.",
  },
} satisfies Partial<Variables>;

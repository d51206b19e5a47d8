import { readInteger } from "../../core/config/readers.js";
import type { Variables } from "../../core/config/variables.js";

declare module "../../core/config/settings.js" {
  interface Settings {
    /** How many days after its end a run can be taken back. 0: never. */
    undoDays: number;
  }
}

export const variables = {
  undoDays: {
    name: "GATEHOUSE_UNDO_DAYS",
    read: (text: string) => readInteger(text, 0, 3_650),
    whenUnset: 7,
    shownDefault: "7",
    description:
      "For how many days an import run can be taken back, in the console or by a command. 0: never.",
  },
} satisfies Partial<Variables>;

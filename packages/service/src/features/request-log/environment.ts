import { readInteger } from "../../core/config/readers.js";
import type { Variables } from "../../core/config/variables.js";

declare module "../../core/config/settings.js" {
  interface Settings {
    /** 0: requests are not logged. */
    requestLogDays: number;
    /** How many requests of each organization the log keeps. */
    requestLogRows: number;
  }
}

export const variables = {
  requestLogDays: {
    name: "GATEHOUSE_REQUEST_LOG_DAYS",
    read: (text: string) => readInteger(text, 0, 3_650),
    whenUnset: 30,
    shownDefault: "30",
    description:
      "How many days the console shows requests. 0: requests are counted, but not logged one by one.",
  },
  requestLogRows: {
    name: "GATEHOUSE_REQUEST_LOG_ROWS",
    read: (text: string) => readInteger(text, 100, 10_000_000),
    whenUnset: 100_000,
    shownDefault: "100000",
    description:
      "The maximum number of logged requests per organization. Older ones are deleted within minutes, in small steps.",
  },
} satisfies Partial<Variables>;

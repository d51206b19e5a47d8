import { readInteger } from "../../core/config/readers.js";
import type { Variables } from "../../core/config/variables.js";

declare module "../../core/config/settings.js" {
  interface Settings {
    /** How long a shorter retention period waits before it deletes anything. */
    retentionGraceHours: number;
  }
}

export const variables = {
  retentionGraceHours: {
    name: "GATEHOUSE_RETENTION_GRACE_HOURS",
    read: (text: string) => readInteger(text, 0, 720),
    whenUnset: 24,
    shownDefault: "24",
    description:
      "How many hours a shorter retention period that deletes data waits before it takes effect. Until then it can be cancelled. 0: it takes effect within minutes.",
  },
} satisfies Partial<Variables>;

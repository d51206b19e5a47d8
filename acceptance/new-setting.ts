import type { Edit } from "./new-resource.js";

/** Everything that a new organization setting takes: its row, its column, and the code that reads it. */
export const newSetting: readonly Edit[] = [
  {
    file: "packages/contract/src/organization-settings.ts",
    lines: [
      {
        before: "} as const satisfies",
        added: `  isReadOnly: {
    kind: "switch",
    description: "Whether imports are refused.",
    readBy: "imports",
    option: { flags: "--read-only <state>", description: "whether imports are refused" },
    form: { panel: "Imports", label: "Refuse imports", help: "Nothing new is stored." },
  },
`,
      },
    ],
  },
  {
    file: "packages/service/migrations/is_read_only.sql",
    text: `-- phase: expand
alter table organizations add column is_read_only boolean not null default false;
`,
  },
  {
    file: "packages/service/src/core/imports/import-batch.ts",
    lines: [
      {
        before: "  const startedAt = past?.startedAt",
        added: `  if (rules.isReadOnly) throw new Refused("quotaExceeded", ["The organization is read-only"]);\n`,
      },
    ],
  },
];

import { Option } from "commander";
import { createInterface } from "node:readline/promises";
import type { ConfigureOrganizationAddition } from "../../core/feature.js";
import { invalidInput } from "../../core/refusals/user-error.js";
import { remark } from "../../core/cli/output.js";
import { withGrace } from "./change-retention.js";
import { retentionRules, type DeletionPreview } from "./preview-deletion.js";
import { describeDeletion } from "./settings.js";

/** gatehouse organization configure --yes */
export const configureAddition: ConfigureOrganizationAddition = {
  options: [new Option("--yes", "delete what shorter periods delete, without a question")],
  check: (pool, config, changes, { yes }) =>
    withGrace(pool, changes, {
      ...retentionRules(config),
      confirm: (preview) => confirmDeletion(preview, yes === true),
    }),
};

/** Prints what a change deletes and asks whether to save it. */
async function confirmDeletion({ data, at }: DeletionPreview, isConfirmed: boolean): Promise<boolean> {
  for (const deletable of data) remark(describeDeletion(deletable, at));
  if (isConfirmed) return true;
  if (!process.stdin.isTTY)
    throw invalidInput("This change deletes stored data. Nothing was saved. Add --yes to save it");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question("Save this change? Type yes: ")).trim() === "yes";
  } finally {
    terminal.close();
  }
}

import type { KindCount, RunUndone, UndoPreview } from "@gatehouse-parking/contract/console";
import { isUuid } from "@gatehouse-parking/contract";
import { Command } from "commander";
import { requireOrganization } from "../../core/organizations/organizations.js";
import { notFoundError } from "../../core/refusals/user-error.js";
import { previewUndo } from "./preview-undo.js";
import { undoRun } from "./undo-run.js";
import { commandLineActor, describedCommand, printResult, card, table } from "../../core/cli/output.js";
import { withDatabase } from "../../core/cli/with-database.js";

interface UndoOptions {
  organization: string;
  confirm?: string;
  json?: boolean;
}

export function undoCommand(): Command {
  return describedCommand(
    new Command("undo")
      .description(
        "undo an import: remove the records that it created, except those that other records refer to; without --confirm, only show what would be removed",
      )
      .argument("<reference-uuid>", "the referenceUuid of the import")
      .requiredOption("--organization <uuid>", "the organization it belongs to")
      .option("--confirm <version>", "undo it, if the preview with this version is still current"),
    [
      "import undo REFERENCE-UUID --organization UUID",
      "import undo REFERENCE-UUID --organization UUID --confirm VERSION",
    ],
  ).action(async (runId: string, { organization: organizationId, confirm, ...options }: UndoOptions) => {
    await withDatabase(async ({ pool, config: { undoDays } }) => {
      await requireOrganization(pool, organizationId);
      if (!isUuid(runId)) throw notFoundError(`There is no import ${runId} in this organization`);
      const run = { organizationId, runId, undoDays };
      if (confirm === undefined) {
        const preview = await previewUndo(pool, run);
        printResult(options, preview, () => describePreview(preview));
      } else {
        const undone = await undoRun(pool, { ...run, version: confirm, actor: commandLineActor });
        printResult(options, undone, () => describeUndone(undone));
      }
    });
  });
}

function describePreview({ version, until, removed, kept, acknowledged }: UndoPreview): string {
  const rows = kept.map(({ kind, reference, referredBy }) => [
    kind,
    reference,
    referredBy.map((referrer) => `${referrer.kind} ${referrer.reference}`),
  ]);
  return [
    card({
      "would be removed": counts(removed),
      "would be kept": kept.length,
      "acknowledged by later imports": acknowledged.count,
      "possible until": until,
      version,
    }),
    "",
    table(["Kept", "Reference", "Referred to by"], rows, "No other record refers to them."),
    "",
    `Nothing was changed. To undo the import, add --confirm ${version}`,
  ].join("\n");
}

function describeUndone({ at, by, removed, keptCount }: RunUndone): string {
  return card({ undone: at, by, removed: counts(removed), kept: keptCount });
}

function counts(kinds: readonly KindCount[]): string[] {
  return kinds.map(({ kind, count }) => `${count} ${kind}`);
}

import { reasonName, type ImportRun } from "@gatehouse-parking/contract";
import { Command } from "commander";
import { getImportRun } from "../../imports/history.js";
import { invalidInput } from "../../refusals/user-error.js";
import { requireOrganization } from "../../organizations/organizations.js";
import { exactJson } from "@gatehouse-parking/json-text";
import { describedCommand, printResult, card, table } from "../output.js";
import { withDatabase } from "../with-database.js";
import { addSubcommands } from "../options.js";
import type { CommandContext } from "../../feature.js";

const statusNames = ["", "Created", "Updated", "Skipped", "Failed"];

export async function importCommand(context: CommandContext): Promise<Command> {
  const command = new Command("import").description("show past imports");
  command.addCommand(showCommand());
  return addSubcommands(command, context);
}

function showCommand(): Command {
  return describedCommand(
    new Command("show")
      .description("show one import with its results and metadata")
      .argument("<reference-uuid>", "the referenceUuid of the import")
      .requiredOption("--organization <uuid>", "the organization it belongs to"),
    [
      "import show REFERENCE-UUID --organization UUID",
      "import show REFERENCE-UUID --organization UUID --json",
    ],
  ).action(async (referenceUuid: string, options: { organization: string; json?: boolean }) => {
    const stored = await withDatabase(async ({ pool }) => {
      await requireOrganization(pool, options.organization);
      return getImportRun(pool, options.organization, referenceUuid);
    });
    if (!stored)
      throw invalidInput(`There is no import ${referenceUuid} in the organization ${options.organization}`);
    const metadata = stored.metadata === null ? null : exactJson(stored.metadata);
    printResult(options, { ...stored.run, metadata }, () => describe(stored.run, stored.metadata));
  });
}

function describe({ results, createdEntities, ...run }: ImportRun, metadata: string | null): string {
  const created = Object.entries(createdEntities).map(([name, count]) => `${count} ${name}`);
  const rows = results.map(({ reference, status, uuid, reasonCode, errorDetail }) => [
    reference,
    statusNames[status],
    uuid,
    reasonCode === undefined ? "" : `${reasonCode} ${reasonName(reasonCode)}`,
    errorDetail,
  ]);
  return [
    card({ ...run, createdEntities: created, metadata }),
    "",
    table(["Reference", "Status", "UUID", "Reason", "Detail"], rows, "No results are stored."),
  ].join("\n");
}

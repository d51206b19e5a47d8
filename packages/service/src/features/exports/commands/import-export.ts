import { Command } from "commander";
import type { CommandContext } from "../../../core/feature.js";
import { sectionsOf } from "../../../core/stored-tables/sections.js";
import { consistencyChecks } from "../../../core/verify/verify.js";
import { importExport, type ImportedExport } from "../import-export.js";
import { commandLineActor, describedCommand, printResult, remark, card } from "../../../core/cli/output.js";
import { withDatabase } from "../../../core/cli/with-database.js";

export function importExportCommand({ features }: CommandContext): Command {
  return describedCommand(
    new Command("import-export")
      .description(
        "fill an empty organization with a file that gatehouse export wrote on another installation, and keep all UUIDs",
      )
      .argument("<file>", "the file, uncompressed")
      .requiredOption(
        "--organization <uuid>",
        "the organization, which must not have records, imports, leads or locations",
      ),
    ["import-export acme.ndjson --organization UUID", "import-export acme.ndjson --organization UUID --json"],
  ).action(async (file: string, options: { organization: string; json?: boolean }) => {
    const checks = await consistencyChecks(features);
    const sections = await sectionsOf(features);
    const imported = await withDatabase(({ exports }) =>
      importExport(exports, {
        organizationId: options.organization,
        file,
        actor: commandLineActor,
        checks,
        sections,
      }),
    );
    for (const what of imported.notCarried) remark(`Not carried over: ${what}`);
    printResult(options, imported, () => describe(imported));
  });
}

function describe({ from, continuedAt, lines, sha256 }: ImportedExport): string {
  const filled = Object.fromEntries(Object.entries(lines).filter(([, count]) => count > 0));
  return card({
    from: `${from.name} (${from.uuid})`,
    takenAt: from.takenAt,
    ...(continuedAt.length > 0 && { continuedAt: continuedAt.join(", ") }),
    ...filled,
    sha256,
  });
}

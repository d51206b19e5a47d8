import { pipeline } from "node:stream/promises";
import { Command, Option } from "commander";
import { exportConnections } from "../../../core/database/pool.js";
import type { CommandContext } from "../../../core/feature.js";
import { sectionsOf } from "../../../core/stored-tables/sections.js";
import { ExportQueue } from "../export-queue.js";
import { continueFile, writeExport } from "../file/write-export.js";
import { invalidInput } from "../../../core/refusals/user-error.js";
import { commandLineActor, describedCommand, printResult, remark, card } from "../../../core/cli/output.js";
import { withDatabase } from "../../../core/cli/with-database.js";

interface Options {
  organization?: string;
  output?: string;
  resume?: string;
  json?: boolean;
}

/** A day: only the operator who runs the command waits for it. */
const maxMs = 24 * 60 * 60_000;

export function exportCommand({ features }: CommandContext): Command {
  return describedCommand(
    new Command("export")
      .description(
        "write all data of an organization as NDJSON from one snapshot of the database; gatehouse import-export reads it",
      )
      .option("--organization <uuid>", "the organization")
      .option(
        "--output <file>",
        "the file to write, which is named FILE.partial until it is complete; default: stdout",
      )
      .addOption(
        new Option("--resume <file>", "continue an incomplete file after its last mark").conflicts([
          "organization",
          "output",
        ]),
      ),
    [
      "export --organization UUID --output acme.ndjson",
      "export --organization UUID | gzip > acme.ndjson.gz",
      "export --resume acme.ndjson.partial",
    ],
  ).action(async (options: Options) => {
    const { organization, output, resume } = options;
    if (resume === undefined && organization === undefined)
      throw invalidInput("Name the organization with --organization, or a file to continue with --resume");
    if (options.json && resume === undefined && output === undefined)
      throw invalidInput("With --json, name the file with --output: stdout has the result then");
    const sections = await sectionsOf(features);
    await withDatabase(async ({ exports }) => {
      const queue = new ExportQueue(exports, { sections, atOnce: exportConnections, maxMs });
      try {
        await write(queue, options);
      } finally {
        await queue.settled();
      }
    });
  });
}

async function write(queue: ExportQueue, options: Options): Promise<void> {
  const { organization: organizationId = "", output, resume } = options;
  const actor = commandLineActor;
  if (resume !== undefined) return done(options, await continueFile(queue, { file: resume, actor }));
  if (output !== undefined)
    return done(options, await writeExport(queue, { organizationId, actor, file: output }));
  await pipeline(await queue.open({ organizationId, actor }), process.stdout, { end: false });
  remark("The export is complete.");
}

function done(options: Options, file: string): void {
  printResult(options, { file }, () => card({ file }));
}

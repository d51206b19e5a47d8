import { Argument, Command } from "commander";
import { exactJsonText, isExactJson } from "@gatehouse-parking/json-text";
import type { CommandContext } from "../../feature.js";
import { withWork } from "../../leads/lead-work.js";
import { findRemovedBy } from "../../records/removed-records.js";
import { recordKindNames, type RecordKindName } from "../../records/kinds.js";
import { showRecord, type ShownRecord } from "../../records/show-record.js";
import { describedCommand, printResult, card } from "../output.js";
import { withDatabase } from "../with-database.js";

export function recordCommand(context: CommandContext): Command {
  const command = new Command("record").description("show stored records");
  command.addCommand(showCommand(context));
  return command;
}

function showCommand({ features }: CommandContext): Command {
  return describedCommand(
    new Command("show")
      .description("show a record with its links, the import it came from and its metadata")
      .addArgument(new Argument("<kind>", "what it is").choices(recordKindNames))
      .argument(
        "<reference-or-uuid>",
        "transactionId, tpReferenceId or uuid; for contacts and leads also the email, for vehicles the plate",
      )
      .requiredOption("--organization <uuid>", "the organization it belongs to"),
    [
      "record show transaction T-1001 --organization UUID",
      "record show contact jo@example.com --organization UUID --json",
    ],
  ).action(
    async (kind: RecordKindName, reference: string, options: { organization: string; json?: boolean }) => {
      const record = await withDatabase(async ({ pool }) => {
        const query = { organizationId: options.organization, kind, reference };
        const found = await showRecord(pool, query, findRemovedBy(features));
        const [shown = found] = kind === "lead" ? await withWork(pool, options.organization, [found]) : [];
        return shown;
      });
      printResult(options, record, () => card(readable(record)));
    },
  );
}

function readable({ workNotes, ...record }: ShownRecord): Record<string, unknown> {
  const fields = Object.entries(record).map(([name, value]) => [
    name,
    isExactJson(value) ? exactJsonText(value) : value,
  ]);
  const notes = (workNotes as { text: string; author: string; at: string }[] | undefined)?.map(
    ({ text, author, at }) => `${author} at ${at}: ${text}`,
  );
  return { ...Object.fromEntries(fields), ...(notes && { workNotes: notes }) };
}

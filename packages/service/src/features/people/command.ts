import { Command } from "commander";
import { erasePerson } from "./erase-person.js";
import { exportPerson } from "./export-person.js";
import { stringifyExactly } from "@gatehouse-parking/json-text";
import { commandLineActor, describedCommand, printResult, card } from "../../core/cli/output.js";
import { withDatabase } from "../../core/cli/with-database.js";

interface PersonOptions {
  organization: string;
  email?: string;
  phone?: string;
  json?: boolean;
}

export function personCommand(): Command {
  const command = new Command("person").description("export or delete what is stored about a person");
  command.addCommand(exportCommand());
  command.addCommand(deleteCommand());
  return command;
}

function forPerson(command: Command): Command {
  return command
    .requiredOption("--organization <uuid>", "the organization that stores it")
    .option("--email <address>", "the person's email address; upper and lower case do not matter")
    .option("--phone <number>", "the person's phone number, in any format");
}

function exportCommand(): Command {
  return describedCommand(
    forPerson(new Command("export").description("print a person's leads, contacts and accounts as JSON")),
    ["person export --organization UUID --email jo@example.com > jo.json"],
  ).action(async (options: PersonOptions) => {
    const exported = await withDatabase(({ pool }) => exportPerson(pool, queryOf(options)));
    printResult(options, exported, () => stringifyExactly(exported, 2));
  });
}

function deleteCommand(): Command {
  return describedCommand(
    forPerson(
      new Command("delete").description(
        "delete a person's leads and erase the person from contacts, accounts and stored runs; transactions are kept, but no longer lead to the person",
      ),
    ),
    [
      "person delete --organization UUID --email jo@example.com",
      "person delete --organization UUID --phone +1-212-555-0100",
    ],
  ).action(async (options: PersonOptions) => {
    const counts = await withDatabase(({ pool }) => erasePerson(pool, queryOf(options)));
    printResult(options, counts, () => card({ ...counts }));
  });
}

function queryOf(options: PersonOptions) {
  const { organization: organizationId, email, phone } = options;
  return { organizationId, email, phone, actor: commandLineActor };
}

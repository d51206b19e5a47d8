import { Command } from "commander";
import { createOrganization, listOrganizations } from "../../organizations/organizations.js";
import { commandLineActor, describedCommand, printResult } from "../output.js";
import { card, table } from "../table.js";
import { withDatabase } from "../with-database.js";
import { configureCommand } from "./organization-configure.js";

export function organizationCommand(): Command {
  const command = new Command("organization").description("create, list and configure organizations");
  command.addCommand(createCommand());
  command.addCommand(listCommand());
  command.addCommand(configureCommand());
  return command;
}

function createCommand(): Command {
  return describedCommand(
    new Command("create").description("create an organization").requiredOption("--name <name>", "its name"),
    ['organization create --name "Acme Parking"'],
  ).action(async (options: { name: string; json?: boolean }) => {
    const organization = await withDatabase(({ pool }) =>
      createOrganization(pool, { name: options.name, actor: commandLineActor }),
    );
    printResult(options, organization, () => card({ ...organization }));
  });
}

function listCommand(): Command {
  return describedCommand(new Command("list").description("list all organizations"), [
    "organization list",
    "organization list --json",
  ]).action(async (options: { json?: boolean }) => {
    const organizations = await withDatabase(({ pool }) => listOrganizations(pool));
    printResult(options, organizations, () =>
      table(
        ["UUID", "Name", "Created"],
        organizations.map(({ uuid, name, createdAt }) => [uuid, name, createdAt]),
        "There are no organizations yet. Create one: gatehouse organization create --name NAME",
      ),
    );
  });
}

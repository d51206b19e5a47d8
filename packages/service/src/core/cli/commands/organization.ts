import { Command } from "commander";
import type { CommandContext, Facts } from "../../feature.js";
import { showSettings } from "../../organizations/configure-organization.js";
import {
  createOrganization,
  listOrganizations,
  showOrganization,
} from "../../organizations/organizations.js";
import { commandLineActor, describedCommand, printResult, card, table } from "../output.js";
import { withDatabase } from "../with-database.js";
import { configureCommand } from "./organization-configure.js";

export async function organizationCommand(context: CommandContext): Promise<Command> {
  const command = new Command("organization").description("create, list, show and configure organizations");
  command.addCommand(createCommand());
  command.addCommand(listCommand());
  command.addCommand(await showCommand(context));
  command.addCommand(await configureCommand(context));
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

async function showCommand({ features }: CommandContext): Promise<Command> {
  const added = await Promise.all(
    features.flatMap(({ commandAdditions }) => commandAdditions?.showOrganization?.() ?? []),
  );
  const command = describedCommand(
    new Command("show")
      .description("show an organization, its stored data and its quotas")
      .argument("<uuid>", "the organization"),
    ["organization show UUID", ...added.flatMap(({ example }) => example)],
  );
  for (const { option } of added) command.addOption(option);
  return command.action(async (organizationId: string, options: Record<string, unknown>) => {
    const [organization, ...facts] = await withDatabase(async ({ pool }) => {
      const settings = await showSettings(pool, organizationId);
      const shown: Facts[] = [{ ...(await showOrganization(pool, organizationId)) }];
      for (const { read } of added) shown.push(await read(pool, settings, options));
      return shown;
    });
    printResult(options, Object.assign({}, organization, ...facts), () =>
      [card(organization ?? {}), ...added.map(({ describe }, index) => describe(facts[index] ?? {}))].join(
        "\n",
      ),
    );
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

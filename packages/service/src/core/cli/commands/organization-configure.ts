import { Command, Option } from "commander";
import type { CommandContext } from "../../feature.js";
import {
  configureOrganization,
  showSettings,
  type OrganizationChanges,
} from "../../organizations/configure-organization.js";
import { secretKeySource } from "../../organizations/secrets.js";
import { organizationSettings } from "../../organizations/settings.js";
import { commandLineActor, describedCommand, printResult, card } from "../output.js";
import { readSecret } from "../options.js";
import { withDatabase } from "../with-database.js";

type Options = Record<string, unknown> & { json?: boolean };

export async function configureCommand({ features }: CommandContext): Promise<Command> {
  const added = await Promise.all(
    features.flatMap(({ commandAdditions }) => commandAdditions?.configureOrganization?.() ?? []),
  );
  const settings = organizationSettings.flatMap(({ commandLine }) => commandLine ?? []);
  const command = describedCommand(
    new Command("configure")
      .description(
        "change an organization's settings for leads, sign-in, retention, limits and quotas; without options, show the current settings",
      )
      .argument("<uuid>", "the organization"),
    settings.flatMap(({ examples }) => examples.map((example) => `organization configure UUID ${example}`)),
  );
  for (const [flags, description, choices] of settings.flatMap(({ options }) => options)) {
    const option = new Option(flags, description);
    command.addOption(choices ? option.choices(choices) : option);
  }
  for (const option of added.flatMap(({ options }) => options)) command.addOption(option);
  return command.action(async (organizationId: string, options: Options) => {
    let changes: OrganizationChanges = { organizationId, actor: commandLineActor };
    for (const { read } of settings) Object.assign(changes, await read(options, readSecret));
    const shown = await withDatabase(async ({ pool, config }) => {
      if (!isChange(changes)) return showSettings(pool, organizationId);
      for (const { check } of added) changes = await check(pool, config, changes, options);
      return configureOrganization(pool, secretKeySource(config).findOrMake, changes);
    });
    const { version: _version, ...printed } = shown;
    printResult(options, printed, () =>
      card(
        Object.assign({}, printed, ...organizationSettings.map(({ describe }) => describe?.({ ...shown }))),
      ),
    );
  });
}

function isChange({
  organizationId: _organization,
  actor: _actor,
  ...changes
}: OrganizationChanges): boolean {
  return Object.values(changes).some((change) => change !== undefined);
}

import { Command } from "commander";
import type { OrganizationStorage } from "@gatehouse-parking/contract/console";
import { showSettings } from "../../organizations/configure-organization.js";
import {
  createOrganization,
  listOrganizations,
  showOrganization,
  type Organization,
} from "../../organizations/organizations.js";
import { measureOrganization } from "../../../features/retention/measure.js";
import { showStorage } from "../../../features/retention/show-storage.js";
import { commandLineActor, describedCommand, printResult } from "../output.js";
import { card, table } from "../table.js";
import { withDatabase } from "../with-database.js";
import { configureCommand } from "./organization-configure.js";

export function organizationCommand(): Command {
  const command = new Command("organization").description("create, list, show and configure organizations");
  command.addCommand(createCommand());
  command.addCommand(listCommand());
  command.addCommand(showCommand());
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

/** How long the count waits for an import that is under way. */
const countPatience = "10s";

function showCommand(): Command {
  return describedCommand(
    new Command("show")
      .description("show what an organization stores, as it was counted last, and its quotas")
      .argument("<uuid>", "the organization")
      .option("--count", "count now"),
    ["organization show UUID", "organization show UUID --count"],
  ).action(async (organizationId: string, options: { count?: boolean; json?: boolean }) => {
    const shown = await withDatabase(async ({ pool }) => {
      const settings = await showSettings(pool, organizationId);
      const organization = await showOrganization(pool, organizationId);
      if (options.count) await measureOrganization(pool, organizationId, countPatience);
      const { version: _version, ...storage } = await showStorage(pool, organizationId, settings);
      return { ...organization, ...storage };
    });
    printResult(options, shown, () => describeStorage(shown));
  });
}

function describeStorage(shown: Organization & Omit<OrganizationStorage, "version">): string {
  const number = (value: number | null) => value?.toLocaleString("en") ?? "-";
  const { uuid, name, createdAt, measuredAt } = shown;
  return [
    card({ uuid, name, createdAt, counted: measuredAt ?? "not yet" }),
    table(
      ["Table", "Rows", "Bytes, about"],
      shown.sizes.map(({ what, rows, bytes }) => [what, number(rows), number(bytes)]),
      "Nobody has counted yet. Count now: gatehouse organization show UUID --count",
    ),
    table(
      ["Quota", "Limit", "Used"],
      shown.quotas.map(({ quota, limit, used }) => [
        quota,
        limit === null ? "none" : number(limit),
        number(used),
      ]),
      "",
    ),
  ].join("\n");
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

import { readFile, stat } from "node:fs/promises";
import { Command } from "commander";
import { maxLocationFileBytes } from "@gatehouse-parking/contract";
import { importLocations } from "../../locations/import-locations.js";
import { createLocation, updateLocation } from "../../locations/manage-locations.js";
import { InvalidInput } from "../../refusals/input-errors.js";
import { commandLineActor, describedCommand, printResult, card, table } from "../output.js";
import { withDatabase } from "../with-database.js";

interface LocationOptions {
  organization: string;
  name: string;
  address: string;
  city: string;
  state: string;
  zipcode: string;
  timeZone: string;
  tpReferenceId?: string;
  json?: boolean;
}

export function locationCommand(): Command {
  const command = new Command("location").description("create, change and import locations");
  command.addCommand(createCommand());
  command.addCommand(updateCommand());
  command.addCommand(importCommand());
  return command;
}

function createCommand(): Command {
  return describedCommand(
    new Command("create")
      .description("create a location")
      .requiredOption("--organization <uuid>", "the organization it belongs to")
      .requiredOption("--name <name>", "its name")
      .requiredOption("--address <address>", "street and number")
      .requiredOption("--city <city>", "city")
      .requiredOption("--state <state>", "state or province")
      .requiredOption("--zipcode <zipcode>", "postal code")
      .requiredOption("--time-zone <zone>", "IANA time zone, such as America/New_York")
      .option("--tp-reference-id <id>", "the partner's ID for it")
      .option("--inactive", "create it as inactive"),
    [
      'location create --organization UUID --name "Main garage" --address "1 Main Street" --city "New York" --state NY --zipcode 10001 --time-zone America/New_York',
    ],
  ).action(async (options: LocationOptions & { inactive?: boolean }) => {
    const { organization, inactive, json: _json, ...fields } = options;
    const location = await withDatabase(({ pool }) =>
      createLocation(pool, {
        ...fields,
        organizationId: organization,
        isActive: !inactive,
        actor: commandLineActor,
      }),
    );
    printResult(options, location, () => card({ ...location }));
  });
}

function updateCommand(): Command {
  return describedCommand(
    new Command("update")
      .description("change a location; fields that are not given stay as they are")
      .argument("<uuid>", "the location")
      .option("--organization <uuid>", "only if it belongs to this organization")
      .option("--name <name>", "its name")
      .option("--address <address>", "street and number")
      .option("--city <city>", "city")
      .option("--state <state>", "state or province")
      .option("--zipcode <zipcode>", "postal code")
      .option(
        "--time-zone <zone>",
        "IANA time zone; stored transactions keep the zone they were written with",
      )
      .option("--tp-reference-id <id>", "the partner's ID for it")
      .option("--active", "make it active")
      .option("--inactive", "make it inactive"),
    ["location update UUID --time-zone America/Chicago", "location update UUID --inactive"],
  ).action(
    async (uuid: string, options: Partial<LocationOptions> & { active?: boolean; inactive?: boolean }) => {
      const { organization, active, inactive, json: _json, ...fields } = options;
      if (active && inactive) throw new InvalidInput("Give --active or --inactive, not both");
      const isActive = active ? true : inactive ? false : undefined;
      if (isActive === undefined && Object.keys(fields).length === 0)
        throw new InvalidInput("Nothing to change: give at least one field, such as --name");
      const location = await withDatabase(({ pool }) =>
        updateLocation(pool, {
          ...fields,
          locationId: uuid,
          organizationId: organization,
          isActive,
          actor: commandLineActor,
        }),
      );
      printResult(options, location, () => card({ ...location }));
    },
  );
}

function importCommand(): Command {
  return describedCommand(
    new Command("import")
      .description(
        "create and change locations from a CSV file with the columns name, address, city, state, zipcode, timeZone and optionally tpReferenceId, isActive; all rows or none",
      )
      .argument("<file>", "CSV file with a header row")
      .requiredOption("--organization <uuid>", "the organization they belong to")
      .option("--dry-run", "show what would happen without changing anything"),
    [
      "location import --organization UUID locations.csv --dry-run",
      "location import --organization UUID locations.csv",
    ],
  ).action(async (file: string, options: { organization: string; dryRun?: boolean; json?: boolean }) => {
    const found = await stat(file);
    if (found.isDirectory()) throw new InvalidInput(`${file} is a folder, not a file`);
    const { size } = found;
    if (size > maxLocationFileBytes)
      throw new InvalidInput(`${file} has ${size} bytes; at most ${maxLocationFileBytes} are read at once`);
    const csv = await readFile(file);
    const result = await withDatabase(({ pool }) =>
      importLocations(pool, {
        organizationId: options.organization,
        csv,
        dryRun: options.dryRun ?? false,
        actor: commandLineActor,
      }),
    );
    printResult(options, result, () => {
      const rows = result.locations.map(({ line, outcome, name, city, timeZone, uuid }) => [
        line,
        outcome,
        name,
        city,
        timeZone,
        uuid,
      ]);
      const headings = ["Line", "Outcome", "Name", "City", "Time zone", "UUID"];
      const verb = options.dryRun ? "would be " : "";
      const counts = `${result.created} ${verb}created, ${result.updated} ${verb}updated, ${result.unchanged} unchanged.`;
      return `${table(headings, rows, "The file has no rows.")}\n\n${counts}`;
    });
  });
}

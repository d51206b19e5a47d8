import { readFile, stat } from "node:fs/promises";
import { Command, Option } from "commander";
import { maxLocationFileBytes, type LocationFields } from "@gatehouse-parking/contract";
import { isNumeric } from "../../entities/columns.js";
import { storedLocation } from "../../entities/entities.js";
import { importLocations } from "../../locations/import-locations.js";
import { createLocation, updateLocation } from "../../locations/manage-locations.js";
import { invalidInput } from "../../refusals/user-error.js";
import { commandLineActor, describedCommand, printResult, card, table } from "../output.js";
import { withDatabase } from "../with-database.js";

type LocationOptions = Record<string, string> & { organization: string; json?: boolean };

const { schema } = storedLocation.entity;
/** Fields that take a value: --time-zone <zone>. */
const optionFields = storedLocation.columns.filter(({ field }) => field !== "isActive");

/** Adds an option for each field of a location. To create one, the required fields must be given. */
function addFieldOptions(command: Command, isNew: boolean): Command {
  for (const { field, name, kind } of optionFields) {
    const words = name.split("_");
    const { description = `its ${words.join(" ")}` } =
      (schema.properties as Record<string, FieldText>)[field] ?? {};
    const flags = `--${words.join("-")} <${kind === "flag" ? "on|off" : words.at(-1)}>`;
    const isRequired = isNew && schema.required?.includes(field);
    command.addOption(new Option(flags, description).makeOptionMandatory(isRequired));
  }
  return command;
}

interface FieldText {
  description?: string;
}

/** The given options as fields of the API. The code that stores them validates them. */
function toFields(options: Record<string, unknown>): Partial<LocationFields> {
  const fields: Record<string, unknown> = {};
  for (const { field, kind } of optionFields) {
    const text = options[field];
    if (typeof text !== "string") continue;
    if (kind === "flag") fields[field] = readSwitch(field, text);
    else fields[field] = isNumeric(kind) && text !== "" ? Number(text) : text;
  }
  return fields as Partial<LocationFields>;
}

function readSwitch(field: string, text: string): boolean {
  if (text !== "on" && text !== "off") throw invalidInput(`${field} must be on or off, not "${text}"`);
  return text === "on";
}

export function locationCommand(): Command {
  const command = new Command("location").description("create, change and import locations");
  command.addCommand(createCommand());
  command.addCommand(updateCommand());
  command.addCommand(importCommand());
  return command;
}

function createCommand(): Command {
  const create = new Command("create")
    .description("create a location")
    .requiredOption("--organization <uuid>", "the organization it belongs to");
  return describedCommand(addFieldOptions(create, true).option("--inactive", "create it as inactive"), [
    'location create --organization UUID --name "Main garage" --address "1 Main Street" --city "New York" --state NY --zipcode 10001 --time-zone America/New_York',
  ]).action(async (options: LocationOptions & { inactive?: boolean }) => {
    const fields = toFields(options) as LocationFields;
    const location = await withDatabase(({ pool }) =>
      createLocation(pool, {
        ...fields,
        organizationId: options.organization,
        isActive: !options.inactive,
        actor: commandLineActor,
      }),
    );
    printResult(options, location, () => card({ ...location }));
  });
}

function updateCommand(): Command {
  const update = new Command("update")
    .description(
      "change a location; other fields keep their values, and stored transactions keep their time zone",
    )
    .argument("<uuid>", "the location")
    .option("--organization <uuid>", "only if it belongs to this organization");
  return describedCommand(
    addFieldOptions(update, false)
      .option("--active", "make it active")
      .option("--inactive", "make it inactive"),
    ["location update UUID --time-zone America/Chicago", "location update UUID --inactive"],
  ).action(
    async (uuid: string, options: Partial<LocationOptions> & { active?: boolean; inactive?: boolean }) => {
      const { organization, active, inactive } = options;
      if (active && inactive) throw invalidInput("Give --active or --inactive, not both");
      const fields = toFields(options);
      if (active || inactive) fields.isActive = active === true;
      if (Object.keys(fields).length === 0)
        throw invalidInput("Nothing to change: give at least one field, such as --name");
      const location = await withDatabase(({ pool }) =>
        updateLocation(pool, {
          ...fields,
          locationId: uuid,
          organizationId: organization,
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
        "create and change locations from a CSV file with the columns name, address, city, state, zipcode, timeZone and optionally tpReferenceId, isActive; saves all rows or none",
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
    if (found.isDirectory()) throw invalidInput(`${file} is a folder, not a file`);
    const { size } = found;
    if (size > maxLocationFileBytes)
      throw invalidInput(`${file} has ${size} bytes; at most ${maxLocationFileBytes} are read at once`);
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

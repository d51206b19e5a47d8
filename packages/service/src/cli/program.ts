import { Command } from "commander";
import type { LoadCommand } from "../core/feature.js";
import { features } from "../features.js";
import { packageVersion } from "../core/version.js";

/** Work that has started before the command. */
export interface Surroundings {
  /** The console's pages, which `npm start` builds while the database starts. */
  pages?: Promise<void>;
}

/** In the order of the help. */
const coreCommands: Readonly<Record<string, LoadCommand>> = {
  migrate: async (context) => (await import("../core/cli/commands/migrate.js")).migrateCommand(context),
  organization: async (context) =>
    (await import("../core/cli/commands/organization.js")).organizationCommand(context),
  location: async () => (await import("../core/cli/commands/location.js")).locationCommand(),
  "api-key": async () => (await import("../core/cli/commands/api-key.js")).apiKeyCommand(),
  user: async (context) => (await import("../core/cli/commands/user.js")).userCommand(context),
  operator: async () => (await import("../core/cli/commands/operator.js")).operatorCommand(),
  record: async (context) => (await import("../core/cli/commands/record.js")).recordCommand(context),
  import: async (context) => (await import("../core/cli/commands/import.js")).importCommand(context),
  verify: async (context) => (await import("../core/cli/commands/verify.js")).verifyCommand(context),
};

/** Loads only the command that the arguments name. Without one, it loads all commands. */
export async function buildProgram(
  [name = ""]: readonly string[],
  { pages }: Surroundings = {},
): Promise<Command> {
  const program = new Command("gatehouse")
    .description("Runs and operates Gatehouse. Configure it with environment variables or a .env file.")
    .version(packageVersion(), "--version")
    .showSuggestionAfterError(true)
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .addHelpText(
      "after",
      `
Every command takes --json: one JSON document on stdout, everything else on stderr.
They work beside a running service and without one. Only serve, migrate, demo and restore create a database.

Examples:
  $ gatehouse serve
  $ gatehouse organization create --name "Acme Parking"
  $ gatehouse api-key create --organization UUID --name "Acme back end"
  $ gatehouse record show transaction T-1001 --organization UUID --json`,
    );
  const context = { features };
  const commands: Readonly<Record<string, LoadCommand>> = Object.assign(
    { serve: async () => (await import("./serve.js")).serveCommand(pages) },
    coreCommands,
    ...features.map((feature) => feature.commands),
  );
  const named = Object.hasOwn(commands, name) ? commands[name] : undefined;
  for (const load of named ? [named] : Object.values(commands)) program.addCommand(await load(context));
  return program;
}

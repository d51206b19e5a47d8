import { Command } from "commander";
import { packageVersion } from "../version.js";

/** Work that is already under way when a command starts. */
export interface Surroundings {
  /** The pages of the console, which `npm start` bundles while the database starts. */
  pages?: Promise<void>;
}

const commands = new Map<string, (surroundings: Surroundings) => Promise<Command>>([
  ["serve", async ({ pages }) => (await import("./commands/serve.js")).serveCommand(pages)],
  ["migrate", async () => (await import("./commands/migrate.js")).migrateCommand()],
  ["demo", async () => (await import("../../features/demo/command.js")).demoCommand()],
  ["distribute", async () => (await import("../../features/cluster/command.js")).distributeCommand()],
  ["organization", async () => (await import("./commands/organization.js")).organizationCommand()],
  ["location", async () => (await import("./commands/location.js")).locationCommand()],
  ["api-key", async () => (await import("./commands/api-key.js")).apiKeyCommand()],
  ["user", async () => (await import("./commands/user.js")).userCommand()],
  ["operator", async () => (await import("./commands/operator.js")).operatorCommand()],
  ["record", async () => (await import("./commands/record.js")).recordCommand()],
  ["import", async () => (await import("./commands/import.js")).importCommand()],
  ["person", async () => (await import("../../features/people/command.js")).personCommand()],
  [
    "receipt-key",
    async () => (await import("../../features/receipts/receipt-key-command.js")).receiptKeyCommand(),
  ],
  ["export", async () => (await import("../../features/exports/commands/export.js")).exportCommand()],
  [
    "import-export",
    async () => (await import("../../features/exports/commands/import-export.js")).importExportCommand(),
  ],
  ["verify", async () => (await import("./commands/verify.js")).verifyCommand()],
  ["backup", async () => (await import("../../features/backups/commands/backup.js")).backupCommand()],
  ["restore", async () => (await import("../../features/backups/commands/restore.js")).restoreCommand()],
]);

/**
 * Builds the program for these arguments: with the one command that they name, so that no other is loaded, or with all.
 */
export async function buildProgram(
  [name = ""]: readonly string[],
  surroundings: Surroundings = {},
): Promise<Command> {
  const program = new Command("gatehouse")
    .description("Runs and operates Gatehouse. It is configured by environment variables or a .env file.")
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
  const named = commands.get(name);
  for (const load of named ? [named] : commands.values()) program.addCommand(await load(surroundings));
  return program;
}

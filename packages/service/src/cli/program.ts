import { Command } from "commander";
import { apiKeyCommand } from "./commands/api-key.js";
import { backupCommand } from "./commands/backup.js";
import { demoCommand } from "./commands/demo.js";
import { distributeCommand } from "./commands/distribute.js";
import { importCommand } from "./commands/import.js";
import { locationCommand } from "./commands/location.js";
import { migrateCommand } from "./commands/migrate.js";
import { operatorCommand } from "./commands/operator.js";
import { organizationCommand } from "./commands/organization.js";
import { personCommand } from "./commands/person.js";
import { recordCommand } from "./commands/record.js";
import { restoreCommand } from "./commands/restore.js";
import { serveCommand } from "./commands/serve.js";
import { userCommand } from "./commands/user.js";
import { verifyCommand } from "./commands/verify.js";
import { packageVersion } from "../version.js";

export function buildProgram(): Command {
  const program = new Command("gatehouse")
    .description("Runs and operates Gatehouse. It is configured by environment variables or a .env file.")
    .version(packageVersion(), "--version")
    .showSuggestionAfterError(true)
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .addHelpText(
      "after",
      `
Every command takes --json: one JSON document on stdout, everything else on stderr.
They work beside a running service and without one.

Examples:
  $ gatehouse serve
  $ gatehouse organization create --name "Acme Parking"
  $ gatehouse api-key create --organization UUID --name "Acme back end"
  $ gatehouse record show transaction T-1001 --organization UUID --json`,
    );
  for (const command of [
    serveCommand(),
    migrateCommand(),
    demoCommand(),
    distributeCommand(),
    organizationCommand(),
    locationCommand(),
    apiKeyCommand(),
    userCommand(),
    operatorCommand(),
    recordCommand(),
    importCommand(),
    personCommand(),
    verifyCommand(),
    backupCommand(),
    restoreCommand(),
  ]) {
    program.addCommand(command);
  }
  return program;
}

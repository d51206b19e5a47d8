import { Command } from "commander";
import { readConfig } from "../../config.js";
import { useDatabaseServer } from "../../database/database-server.js";
import { migrate } from "../../database/migrate.js";
import { describedCommand, printResult } from "../output.js";

export function migrateCommand(): Command {
  return describedCommand(
    new Command("migrate").description(
      "bring the database up to date; safe to run from several machines at once and beside running instances",
    ),
    ["migrate", "migrate --json"],
  ).action(async (options: { json?: boolean }) => {
    const server = await useDatabaseServer(readConfig(process.env));
    try {
      const applied = await migrate(server.connectionString);
      printResult(options, { applied }, () =>
        applied.length === 0 ? "The database is up to date." : `Applied:\n  ${applied.join("\n  ")}`,
      );
    } finally {
      await server.stop();
    }
  });
}

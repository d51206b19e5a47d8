import { Command } from "commander";
import { readConfig } from "../../../core/config.js";
import { backupKind } from "../../../core/database/backup-kind.js";
import { untilInterrupted } from "../../../core/cli/with-database.js";
import { describedCommand, printResult, remark, card } from "../../../core/cli/output.js";
import { requireEmbeddedDatabase } from "./backup.js";

export function restoreCommand(): Command {
  return describedCommand(
    new Command("restore")
      .description("restore the data folder from a backup; the folder must be empty or not exist yet")
      .argument("<file>", "a file written by gatehouse backup"),
    ["restore /backups/gatehouse.tar.gz", "restore /backups/gatehouse.tar.gz --json"],
  ).action(async (file: string, options: { json?: boolean }) => {
    const config = readConfig(process.env);
    requireEmbeddedDatabase(config, "Restore");
    const { restore } = await import("@gatehouse-parking/local-postgres/backup");
    const report = await untilInterrupted((signal) =>
      restore(backupKind, { dataDirectory: config.dataDirectory, file, signal }),
    );
    const platform = `${process.platform}-${process.arch}`;
    if (report.platform !== platform)
      remark(
        `The backup was made on ${report.platform}, and this is ${platform}. Verify the data before you rely on it.`,
      );
    const { dataDirectory, createdAt, gatehouseVersion, bytes } = report;
    printResult(
      options,
      report,
      () =>
        `${card({ dataDirectory, bytes, createdAt, gatehouseVersion })}\n\n` +
        "Start the service with gatehouse serve, then check all data with gatehouse verify",
    );
  });
}

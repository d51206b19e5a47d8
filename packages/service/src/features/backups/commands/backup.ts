import { Command } from "commander";
import { readConfig, type Config } from "../../../core/config.js";
import { backupKind } from "../../../core/database/backup-kind.js";
import { embeddedSettings } from "../../../core/database/database-server.js";
import { noteBackup } from "../../../core/last-backup.js";
import { invalidInput } from "../../../core/refusals/user-error.js";
import { untilInterrupted } from "../../../core/cli/with-database.js";
import { describedCommand, printResult, remark, card } from "../../../core/cli/output.js";

export function backupCommand(): Command {
  return describedCommand(
    new Command("backup")
      .description(
        "copy the embedded database, keys and certificates into one file, whether or not the service is running",
      )
      .argument(
        "[file]",
        "the file to write; an existing file is replaced once the new one is complete. " +
          "Without it: a scheduled backup in GATEHOUSE_BACKUP_DIR",
      ),
    ["backup /backups/gatehouse.tar.gz", 'backup "/backups/$(date +%F).tar.gz" --json', "backup"],
  ).action(async (file: string | undefined, options: { json?: boolean }) => {
    const config = readConfig(process.env);
    requireEmbeddedDatabase(config, "Back up");
    if (file === undefined) return backUpIntoFolder(config, options);
    const { backUp } = await import("@gatehouse-parking/local-postgres/backup");
    const report = await untilInterrupted((signal) =>
      backUp(backupKind, { dataDirectory: config.dataDirectory, file, settings: embeddedSettings, signal }),
    );
    await noteBackup(config.dataDirectory, {
      createdAt: report.createdAt,
      file: report.file,
      bytes: report.fileBytes,
    }).catch((error: Error) => remark(`The console will not show this backup: ${error.message}`));
    remarkOnSecretKey(config);
    printResult(options, report, () =>
      card({
        file: report.file,
        bytes: report.fileBytes,
        createdAt: report.createdAt,
        sha256: report.sha256,
      }),
    );
  });
}

/** The schedule of a running service uses this, too. */
async function backUpIntoFolder(config: Config, options: { json?: boolean }): Promise<void> {
  const { backupDirectory } = config;
  if (backupDirectory === undefined)
    throw invalidInput("Name the file to write, or set GATEHOUSE_BACKUP_DIR, the backup folder.");
  const { makeBackup } = await import("../make-backup.js");
  const made = await untilInterrupted((signal) => makeBackup({ ...config, backupDirectory }, signal));
  remarkOnSecretKey(config);
  const { file, bytes, createdAt, triedAt, removed } = made;
  printResult(options, made, () =>
    card({ file, bytes, createdAt, verified: triedAt ?? "no", removed: removed.length }),
  );
}

function remarkOnSecretKey({ secretKey }: Config): void {
  if (secretKey !== undefined)
    remark("GATEHOUSE_SECRET_KEY is not in the backup. Keep it too: it decrypts the captcha secrets.");
}

export function requireEmbeddedDatabase(config: Config, verb: "Back up" | "Restore"): void {
  if (config.databaseUrl === undefined) return;
  throw invalidInput(
    `DATABASE_URL is set, and this command is for the embedded database. ${verb} your server with its own tools, ` +
      "such as pg_dump and pg_restore, or pg_basebackup.",
  );
}

import { Command } from "commander";
import { readConfig } from "../../config.js";
import { useDatabaseServer } from "../../database/database-server.js";
import { migrate } from "../../database/schema/migrate.js";
import type { CommandContext } from "../../feature.js";
import { describedCommand, printResult, remark } from "../output.js";

export function migrateCommand({ features }: CommandContext): Command {
  return describedCommand(
    new Command("migrate").description(
      "apply database migrations; safe to run from several machines at once and while instances are running",
    ),
    ["migrate", "migrate --json"],
  ).action(async (options: { json?: boolean }) => {
    const server = await useDatabaseServer(readConfig(process.env), { mayCreate: true });
    try {
      const { applied, ofNewerRelease, notices } = await migrate(server.connectionString, {
        checks: features.flatMap(({ checkDatabase }) => checkDatabase ?? []),
        lockTimeout: { onWait: (reason) => remark(`Waiting, because ${reason}.`) },
      });
      if (ofNewerRelease.length > 0)
        remark("A newer release has migrated the database. This one may still run on it.");
      for (const { text } of notices) remark(text);
      printResult(options, { applied, ...Object.assign({}, ...notices.map(({ facts }) => facts)) }, () =>
        applied.length === 0 ? "The database is up to date." : `Applied:\n  ${applied.join("\n  ")}`,
      );
    } finally {
      await server.stop();
    }
  });
}

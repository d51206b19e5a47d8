import type { Feature } from "../../core/feature.js";
import { contradictions, variables } from "./environment.js";
import type { BackupSchedule } from "./schedule.js";

declare module "fastify" {
  interface FastifyInstance {
    /** Undefined: no backups are scheduled. */
    backupSchedule?: BackupSchedule;
  }
}

/** Backups of the embedded database, by a command and on a schedule. */
export const backups: Feature = {
  name: "backups",
  environment: { variables, contradictions },
  commands: {
    backup: async () => (await import("./commands/backup.js")).backupCommand(),
    restore: async () => (await import("./commands/restore.js")).restoreCommand(),
  },
  async register({ app, config, database }) {
    const { backupMetrics, describeSchedule, openBackupSchedule } = await import("./open-schedule.js");
    const schedule = openBackupSchedule(config, database.console, app.log);
    backupMetrics(app.metrics.registry, schedule && (() => schedule.figures()));
    if (!schedule) return {};
    app.decorate("backupSchedule", schedule);
    return {
      describeHealth: () => ({ scheduledBackups: describeSchedule(schedule, config) }),
      start: () => schedule.start(),
      close: () => schedule.close(),
    };
  },
};

import { realpath } from "node:fs/promises";
import type { ServiceHealth } from "@gatehouse-parking/contract/console";
import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import type { Config } from "../../core/config.js";
import { listBackups, removeLeftovers, unlessTaken } from "./backup-folder.js";
import { runBackupCommand } from "./backup-process.js";
import { nameOfDatabase } from "./database-name.js";
import { isGood } from "./kept-backup.js";
import { BackupSchedule } from "./schedule.js";

/** Undefined: no backups are to be made by themselves. */
export function openBackupSchedule(
  config: Config,
  pool: pg.Pool,
  log: FastifyBaseLogger,
): BackupSchedule | undefined {
  const { backupDirectory, backupsTried: areTried } = config;
  if (backupDirectory === undefined) return undefined;
  let database: string | undefined;
  const findFolder = async () => {
    database ??= await nameOfDatabase(pool);
    return { folder: await realpath(backupDirectory), database };
  };
  return new BackupSchedule({
    timing: config,
    now: nowMs,
    log,
    make: runBackupCommand,
    async clearUp() {
      const { folder, database: ours } = await findFolder();
      await unlessTaken(pool, () => removeLeftovers(folder, ours));
    },
    async findLastGood() {
      const { folder, database: ours } = await findFolder();
      const backups = await listBackups(folder, ours);
      return backups.findLast((backup) => isGood(backup, areTried));
    },
  });
}

/** As operators see it. */
export function describeSchedule(
  schedule: BackupSchedule,
  config: Pick<Config, "backupDirectory" | "backupEveryMs" | "backupsKept" | "backupsTried">,
): NonNullable<ServiceHealth["scheduledBackups"]> {
  const { lastGood, isRunning, nextMs, failure, isOverdue } = schedule.state();
  return {
    folder: config.backupDirectory ?? "",
    everySeconds: config.backupEveryMs / 1_000,
    kept: config.backupsKept,
    areTried: config.backupsTried,
    lastGood: lastGood
      ? {
          createdAt: lastGood.createdAt,
          file: lastGood.file,
          bytes: lastGood.bytes,
          restoredAt: lastGood.triedAt,
        }
      : null,
    isRunning,
    nextAt: new Date(nextMs).toISOString(),
    failure: failure
      ? {
          at: new Date(failure.atMs).toISOString(),
          message: failure.message,
          attempts: failure.attempts,
        }
      : null,
    isOverdue,
  };
}

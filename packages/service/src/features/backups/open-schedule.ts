import client from "@platformatic/prom-client";
import { realpath } from "node:fs/promises";
import type { ServiceHealth } from "@gatehouse-parking/contract/console";
import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import type { Config } from "../../core/config.js";
import { ifUnlocked, listBackups, removeLeftovers } from "./backup-folder.js";
import { runBackupCommand } from "./backup-process.js";
import { isGood, readDatabaseName } from "./kept-backup.js";
import { BackupSchedule } from "./schedule.js";

/** Undefined: no backups are scheduled. */
export function openBackupSchedule(
  config: Config,
  pool: pg.Pool,
  log: FastifyBaseLogger,
): BackupSchedule | undefined {
  const { backupDirectory, backupsTried: areTried } = config;
  if (backupDirectory === undefined) return undefined;
  let database: string | undefined;
  const findFolder = async () => {
    database ??= await readDatabaseName(pool);
    return { folder: await realpath(backupDirectory), database };
  };
  return new BackupSchedule({
    timing: config,
    now: nowMs,
    log,
    make: runBackupCommand,
    async cleanUp() {
      const { folder, database: ours } = await findFolder();
      await ifUnlocked(pool, () => removeLeftovers(folder, ours));
    },
    async findLastGood() {
      const { folder, database: ours } = await findFolder();
      const backups = await listBackups(folder, ours);
      return backups.findLast((backup) => isGood(backup, areTried));
    },
  });
}

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

/** `source` is undefined if no backups are scheduled. */
export function backupMetrics(
  registry: client.Registry,
  source: (() => ReturnType<BackupSchedule["figures"]>) | undefined,
): void {
  new client.Gauge({
    name: "gatehouse_backup_failed_attempts",
    help: "Attempts in a row to make a scheduled backup that failed; 0 after a good one",
    registers: [registry],
    collect() {
      this.set(source?.().failedAttempts ?? 0);
    },
  });
  new client.Gauge({
    name: "gatehouse_backup_overdue",
    help: "Whether the last good scheduled backup is older than twice the interval",
    registers: [registry],
    collect() {
      this.set(Number(source?.().isOverdue ?? false));
    },
  });
  if (source === undefined) return;
  new client.Gauge({
    name: "gatehouse_backup_last_good_timestamp_seconds",
    help: "When the last good scheduled backup was made, in Unix seconds",
    registers: [registry],
    collect() {
      const { lastGoodMs } = source();
      // 0 would mean a backup in 1970.
      if (lastGoodMs === undefined) this.remove();
      else this.set(lastGoodMs / 1_000);
    },
  });
}

import client from "@platformatic/prom-client";

export interface BackupMetricSource {
  /** Milliseconds since 1970; undefined: there is none. */
  lastGoodMs: number | undefined;
  failedAttempts: number;
  isOverdue: boolean;
}

/** Undefined: no backups are scheduled, so none is late. */
export function backupMetrics(
  registry: client.Registry,
  source: (() => BackupMetricSource) | undefined,
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
      // Unset it would show 0, which would be a backup of 1970.
      if (lastGoodMs === undefined) this.remove();
      else this.set(lastGoodMs / 1_000);
    },
  });
}

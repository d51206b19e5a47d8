import { Badge } from "@mantine/core";
import { RunStatus } from "@gatehouse-parking/contract";
import type { RunSummary } from "@gatehouse-parking/contract/console";
import styles from "./import-status.module.css";
import { texts } from "./texts.js";

const statusBadges: Record<RunStatus, { label: string; color: string }> = {
  [RunStatus.Completed]: { label: texts.statuses.completed, color: "teal" },
  [RunStatus.Failed]: { label: texts.statuses.failed, color: "red" },
  [RunStatus.PartialSuccess]: { label: texts.statuses.partialSuccess, color: "yellow" },
};

export function ImportStatusBadge({ status }: { status: RunStatus }) {
  const { label, color } = statusBadges[status];
  return <Badge color={color}>{label}</Badge>;
}

type Counts = Pick<RunSummary, "totalSubmitted" | "successCount" | "skippedCount" | "failedCount">;

/** Created, skipped and failed as one bar, with the numbers for screen readers. */
export function OutcomeBar({ run }: { run: Counts }) {
  const words = texts.outcomeCounts(run.successCount, run.skippedCount, run.failedCount);
  return (
    <div className={styles.bar} title={words}>
      <span className="visually-hidden">{words}</span>
      {run.successCount > 0 ? (
        <span className={styles.created} style={{ flexGrow: run.successCount }} />
      ) : null}
      {run.skippedCount > 0 ? (
        <span className={styles.skipped} style={{ flexGrow: run.skippedCount }} />
      ) : null}
      {run.failedCount > 0 ? <span className={styles.failed} style={{ flexGrow: run.failedCount }} /> : null}
    </div>
  );
}

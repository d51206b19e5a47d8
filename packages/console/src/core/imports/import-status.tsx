import { Badge } from "@mantine/core";
import { RunStatus } from "@gatehouse-parking/contract";
import type { RunSummary } from "@gatehouse-parking/contract/console";
import styles from "./import-status.module.css";

const statusBadges: Record<RunStatus, { label: string; color: string }> = {
  [RunStatus.Completed]: { label: "Completed", color: "teal" },
  [RunStatus.Failed]: { label: "Failed", color: "red" },
  [RunStatus.PartialSuccess]: { label: "Partial success", color: "yellow" },
};

export function ImportStatusBadge({ status }: { status: RunStatus }) {
  const { label, color } = statusBadges[status];
  return <Badge color={color}>{label}</Badge>;
}

type Counts = Pick<RunSummary, "totalSubmitted" | "successCount" | "skippedCount" | "failedCount">;

/** Created, skipped and failed as one bar, with the numbers for screen readers. */
export function OutcomeBar({ run }: { run: Counts }) {
  const words = `${run.successCount} created, ${run.skippedCount} skipped, ${run.failedCount} failed`;
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

import type { RunSummary } from "@gatehouse-parking/contract/console";
import styles from "./outcome-bar.module.css";

type Counts = Pick<RunSummary, "totalSubmitted" | "successCount" | "skippedCount" | "failedCount">;

/** Created, skipped and failed as parts of one bar, with the numbers in words for those who do not see it. */
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

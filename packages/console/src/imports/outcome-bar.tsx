import type { RunSummary } from "@gatehouse/service/console/api";
import styles from "./outcome-bar.module.css";

type Counts = Pick<RunSummary, "totalSubmitted" | "successCount" | "skippedCount" | "failedCount">;

/** Created, skipped and failed as parts of one bar, with the numbers in words for those who do not see it. */
export function OutcomeBar({ run }: { run: Counts }) {
  const words = `${run.successCount} created, ${run.skippedCount} skipped, ${run.failedCount} failed`;
  return (
    <div className={styles.bar} role="img" aria-label={words} title={words}>
      <span className={styles.created} style={{ flexGrow: run.successCount }} />
      <span className={styles.skipped} style={{ flexGrow: run.skippedCount }} />
      <span className={styles.failed} style={{ flexGrow: run.failedCount }} />
    </div>
  );
}

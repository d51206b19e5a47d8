import type { FieldDifference, RunResult } from "@gatehouse-parking/contract/console";
import { Trace } from "../records/trace.js";
import styles from "./result-detail.module.css";

export function ResultDetail({ result }: { result: RunResult }) {
  return (
    <>
      {result.trace ? <Trace trace={result.trace} /> : null}
      {result.differences?.length ? <Differences differences={result.differences} /> : null}
    </>
  );
}

/** What is stored and what was sent, field by field, exactly as spelled. */
export function Differences({ differences }: { differences: readonly FieldDifference[] }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Stored</th>
          <th scope="col">Sent this time</th>
        </tr>
      </thead>
      <tbody>
        {differences.map((difference) => (
          <tr key={difference.field}>
            <th scope="row" className={styles.field}>
              {difference.field}
            </th>
            <td className={styles.stored}>{difference.stored ?? <em>not given</em>}</td>
            <td className={styles.sent}>{difference.sent ?? <em>not given</em>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

import { Badge, Skeleton } from "@mantine/core";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { Panel } from "../ui/panel.js";
import { Failure } from "../ui/states.js";
import { Time } from "../ui/time.js";
import styles from "./overview.module.css";

const shown = 6;

export function TopReasons() {
  const reasons = useApi("getTopReasons", { query: {} });
  return (
    <Panel
      title="Top reasons"
      description="Why records were skipped or failed in the last 7 days."
      actions={<Link href="/imports">All runs</Link>}
    >
      {reasons.error ? <Failure error={reasons.error} retry={() => void reasons.refetch()} /> : null}
      {reasons.isPending ? <Skeleton height={160} /> : null}
      {reasons.data?.data.length === 0 ? (
        <p className={styles.quiet}>No records were skipped or failed.</p>
      ) : null}
      <ul className={styles.list}>
        {reasons.data?.data.slice(0, shown).map((reason) => (
          <li key={`${reason.reasonCode}-${reason.status}`} className={styles.reason}>
            <span className={styles.reasonCount}>
              <Link href={`/imports?reason=${reason.reasonCode}&from=${reasons.data.from.slice(0, 10)}`}>
                {reason.count.toLocaleString("en")}
                <span className="visually-hidden"> {reason.name}</span>
              </Link>
            </span>
            <div className={styles.reasonText}>
              <div>
                {reason.name}{" "}
                <Badge color={reason.status === 4 ? "red" : "gray"}>
                  {reason.status === 4 ? "failed" : "skipped"}
                </Badge>
              </div>
              <p>{reason.advice}</p>
              <p>
                In {reason.runs === 1 ? "one run" : `${reason.runs} runs`}, last{" "}
                <Time value={reason.lastSeenAt} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

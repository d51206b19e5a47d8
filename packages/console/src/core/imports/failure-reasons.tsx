import { Alert, Badge } from "@mantine/core";
import type { FailureGroup, RunDetail } from "@gatehouse-parking/contract/console";
import { pluralize } from "../ui/format.js";
import { Panel } from "../ui/page.js";
import styles from "./failure-reasons.module.css";
import { ResultFilterLink } from "./import-results.js";

type MessageOfGroup = FailureGroup["messages"][number];

/** Why records failed, by reason, the most frequent first. */
export function FailureReasons({ run }: { run: RunDetail }) {
  if (run.failedCount === 0) return null;
  return (
    <Panel title="Why records failed" flush>
      <ul className={styles.list}>
        {run.failureGroups.map((group) => (
          <FailureReason key={group.reasonCode} group={group} />
        ))}
      </ul>
      {run.failuresNotKept > 0 ? (
        <Alert color="gray" m="md" mt={0} p="sm">
          Not shown: {pluralize(run.failuresNotKept, "failure")} reported only to the sender. A run keeps its
          first 100.
        </Alert>
      ) : null}
    </Panel>
  );
}

function FailureReason({ group }: { group: FailureGroup }) {
  return (
    <li className={styles.group}>
      <div className={styles.count}>{group.count}</div>
      <div className={styles.text}>
        <h3 className={styles.name}>
          {group.name} <Badge color="gray">code {group.reasonCode}</Badge>
        </h3>
        <p className={styles.paragraph}>{group.meaning}</p>
        <p className={styles.paragraph}>
          <strong>How to fix it:</strong> {group.advice}
        </p>
        <ul className={styles.examples} aria-label="What was wrong">
          {group.messages.map((message) => (
            <FailureMessage key={message.message} message={message} />
          ))}
        </ul>
        {group.keptCount > 0 ? (
          <ResultFilterLink show="failed" reason={group.reasonCode}>
            {group.keptCount === 1 ? "Show the record" : `Show these ${group.keptCount} records`}
          </ResultFilterLink>
        ) : null}
      </div>
    </li>
  );
}

function FailureMessage({
  message: { message, count, position, reference, values },
}: {
  message: MessageOfGroup;
}) {
  return (
    <li>
      {message} <span className={styles.times}>({pluralize(count, "record")})</span>
      {values.length > 0 ? (
        <>
          ; sent:{" "}
          {values.map((value, index) => (
            <span key={value}>
              {index > 0 ? ", " : ""}
              <span className={styles.reference}>{value === "" ? "(empty)" : value}</span>
            </span>
          ))}
        </>
      ) : null}
      <span className={styles.times}>, first in {reference || `record ${position + 1}`}</span>
    </li>
  );
}

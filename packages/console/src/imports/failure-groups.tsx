import { Alert, Badge } from "@mantine/core";
import type { FailureGroup, RunDetail } from "@gatehouse-parking/contract/console";
import { counted } from "../ui/counted.js";
import { Panel } from "../ui/panel.js";
import { ShowResults } from "./show-results.js";
import styles from "./failure-groups.module.css";

type MessageOfGroup = FailureGroup["messages"][number];

/** Why records failed: one block a reason, the most frequent first, with what it means and what to do about it. */
export function FailureGroups({ run }: { run: RunDetail }) {
  if (run.failedCount === 0) return null;
  return (
    <Panel title="Why records failed" flush>
      <ul className={styles.list}>
        {run.failureGroups.map((group) => (
          <Group key={group.reasonCode} group={group} />
        ))}
      </ul>
      {run.failuresNotKept > 0 ? (
        <Alert color="gray" m="md" mt={0} p="sm">
          Not shown: {counted(run.failuresNotKept, "failure")} reported only to the sender. A run keeps its
          first 100.
        </Alert>
      ) : null}
    </Panel>
  );
}

function Group({ group }: { group: FailureGroup }) {
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
            <Message key={message.message} message={message} />
          ))}
        </ul>
        {group.keptCount > 0 ? (
          <ShowResults show="failed" reason={group.reasonCode}>
            {group.keptCount === 1 ? "Show the record" : `Show these ${group.keptCount} records`}
          </ShowResults>
        ) : null}
      </div>
    </li>
  );
}

function Message({ message: { message, count, position, reference, values } }: { message: MessageOfGroup }) {
  return (
    <li>
      {message} <span className={styles.times}>({counted(count, "record")})</span>
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

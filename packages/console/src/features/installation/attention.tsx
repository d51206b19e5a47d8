import { Badge } from "@mantine/core";
import type { OrganizationHealth } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useHasFeature } from "../../core/features.js";
import { pluralize } from "../../core/ui/format.js";
import styles from "./installation.module.css";

/** Problems of an organization, each with a link to its page. */
export function Attention({ organization }: { organization: OrganizationHealth }) {
  const hasRequestLog = useHasFeature("request-log");
  const notes = notesFor(organization);
  if (notes.length === 0)
    return <span className={styles.quiet}>{organization.lookedAt ? "nothing" : "–"}</span>;
  return (
    <ul className={styles.notes}>
      {notes.map(({ text, color, to, title }) => (
        <li key={text}>
          <Link
            href={`/organizations/${organization.uuid}${hasRequestLog || !to.startsWith("/requests") ? to : ""}`}
            className={styles.note}
            title={title}
          >
            <Badge color={color} className={styles.badge}>
              {text}
            </Badge>
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface AttentionNote {
  text: string;
  color: "red" | "yellow";
  to: string;
  title: string;
}

function notesFor({
  lastRun,
  failingKeys,
  clockWarnings,
  drifted,
  limitsNear,
  limitedDay,
}: OrganizationHealth): AttentionNote[] {
  const notes: AttentionNote[] = [];
  if (lastRun?.status === 2)
    notes.push({
      text: "last run failed",
      color: "red",
      to: `/imports/${lastRun.referenceUuid}`,
      title: "Every record of it failed",
    });
  for (const { uuid, name, prefix, requests, refused } of failingKeys)
    notes.push({
      text: `key ${name || prefix} failing`,
      color: "red",
      to: `/settings/api-keys/${uuid}`,
      title: `${refused} of ${requests} requests in 24 hours were refused`,
    });
  if (clockWarnings > 0)
    notes.push({
      text: clockWarnings === 1 ? "clock warning" : `${clockWarnings} clock warnings`,
      color: "yellow",
      to: "",
      title: "Times that look like local times sent with a Z",
    });
  if (drifted > 0)
    notes.push({
      text: `${pluralize(drifted, "record")} drifted`,
      color: "yellow",
      to: "/imports",
      title: "Sent again with other values than are stored",
    });
  for (const { operation, used, limit } of limitsNear)
    notes.push({
      text: `${operation} at ${used} of ${limit}`,
      color: "yellow",
      to: "",
      title: "Requests in the window when it was looked at",
    });
  if (limitedDay > 0)
    notes.push({
      text: `${limitedDay.toLocaleString("en")} over the limit`,
      color: "yellow",
      to: "/requests?outcome=limited",
      title: "Requests answered 429 in 24 hours",
    });
  return notes;
}

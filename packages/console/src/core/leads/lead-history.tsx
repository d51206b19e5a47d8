import type { AuditLine, LeadDetail } from "@gatehouse-parking/contract/console";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { Panel } from "../ui/page.js";
import { Loaded } from "../ui/states.js";
import { Moment } from "../ui/time.js";
import styles from "./leads.module.css";
import { texts } from "./texts.js";

const shownEntries = 20;

/** What the audit log says about the lead, which only admins may read. */
export function LeadHistory({ lead }: { lead: LeadDetail }) {
  const entries = useApi("listAudit", {
    query: { action: "lead.", text: lead.uuid, from: lead.createdAt, limit: shownEntries },
  });
  return (
    <Panel title={texts.history.title}>
      <Loaded query={entries}>
        {({ data, nextCursor }) => (
          <ul className={styles.notes}>
            {data.map((line) => (
              <Entry key={line.uuid} by={line.actor} at={line.at}>
                {describe(line)}
              </Entry>
            ))}
            {nextCursor === null ? (
              <Entry at={lead.createdAt}>{texts.columns.received}</Entry>
            ) : (
              <li>
                <Link href={`/settings/audit?action=lead&text=${lead.uuid}`}>{texts.history.more}</Link>
              </li>
            )}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

function Entry({ by, at, children }: { by?: string; at: string; children: ReactNode }) {
  return (
    <li className={styles.note}>
      <p className={styles.noteText}>{children}</p>
      <div className={styles.noteFoot}>
        <span>
          {by ? `${by}, ` : null}
          <Moment value={at} />
        </span>
      </div>
    </li>
  );
}

/** A change of one lead has values before and after, a change of several leads only those after. */
type Change = string | null | { from: string | null; to: string | null };

function describe({ action, detail }: AuditLine): string {
  const { workState, state, assignee } = JSON.parse(detail) as Record<string, Change | undefined>;
  const changes = [
    workState === undefined ? [] : texts.history.status(after(workState) ?? ""),
    state === undefined ? [] : texts.history.quarantine(after(state) ?? ""),
    assignee === undefined ? [] : texts.history.assigned(after(assignee)),
  ].flat();
  return changes.join(", ") || (texts.history.actions[action] ?? action);
}

function after(change: Change): string | null {
  return change === null || typeof change === "string" ? change : change.to;
}

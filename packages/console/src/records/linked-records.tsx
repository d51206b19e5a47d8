import type { RecordDetail, RecordKind, RecordLink } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { Panel } from "../ui/panel.js";
import { kinds } from "./kinds.js";
import { RecordTitle } from "./record-title.js";
import styles from "./linked-records.module.css";
import { sentence } from "./trace.js";

/** The query that lists what points to a record of each kind. */
const backReference: Partial<Record<RecordKind, string>> = {
  accounts: "account",
  contacts: "contact",
  vehicles: "vehicle",
  subscriptions: "subscription",
};

export function LinkedRecords({ record }: { record: RecordDetail }) {
  const dropped = record.trace?.subscription?.via === "dropped";
  const pointing = record.linkedFrom.filter((group) => group.data.length > 0);
  if (record.links.length === 0 && pointing.length === 0 && !dropped) return null;
  return (
    <Panel title="Linked to">
      <ul className={styles.list}>
        {record.links.map((link) => (
          <LinkedRecord key={`${link.kind}-${link.uuid}`} link={link} />
        ))}
        {dropped ? (
          <li className={styles.item}>
            <span className={styles.kind}>Subscription</span>
            <span>{sentence("dropped")}</span>
          </li>
        ) : null}
      </ul>
      {pointing.map((group) => (
        <div key={group.kind} className={styles.group}>
          <h3 className={styles.heading}>{kinds[group.kind].plural}</h3>
          <ul className={styles.list}>
            {group.data.map((link) => (
              <LinkedRecord key={link.uuid} link={link} withKind={false} />
            ))}
          </ul>
          {group.hasMore ? (
            <Link href={`/records/${group.kind}?${backReference[record.kind] ?? "account"}=${record.uuid}`}>
              All {group.kind} of this {kinds[record.kind].singular.toLowerCase()}
            </Link>
          ) : null}
        </div>
      ))}
    </Panel>
  );
}

function LinkedRecord({ link, withKind = true }: { link: RecordLink; withKind?: boolean }) {
  // People know places by their names, and records by their references.
  const [name, about] = link.kind === "locations" ? [link.title, ""] : [link.reference, link.title];
  const href = link.kind === "locations" ? `/locations/${link.uuid}` : `/records/${link.kind}/${link.uuid}`;
  return (
    <li className={styles.item}>
      {withKind ? (
        <span className={styles.kind}>
          {link.kind === "locations" ? "Location" : kinds[link.kind].singular}
        </span>
      ) : null}
      <Link href={href}>{name || link.uuid}</Link>
      {about ? (
        <span>
          <RecordTitle title={about} />
        </span>
      ) : null}
      {link.via ? <span className={styles.via}>{sentence(link.via)}</span> : null}
    </li>
  );
}

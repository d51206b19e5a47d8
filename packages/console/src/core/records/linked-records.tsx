import type {
  RecordDetail,
  RecordKind,
  RecordLink,
  ResolutionTrace,
  ResolvedRelation,
} from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { Panel } from "../ui/page.js";
import { RecordTitle } from "./record-fields.js";
import { kinds } from "./record-kinds.js";
import styles from "./records.module.css";

/** The parameter that lists the records that link to one of each kind. */
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
            <span>{describeVia("dropped")}</span>
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
  // Locations are known by name, records by reference.
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
      {link.via ? <span className={styles.via}>{describeVia(link.via)}</span> : null}
    </li>
  );
}

const relations = [
  ["account", "accounts"],
  ["contact", "contacts"],
  ["vehicle", "vehicles"],
  ["subscription", "subscriptions"],
] as const;

/** How each related record was found or created. */
export function ResolutionTraceList({ trace }: { trace: ResolutionTrace }) {
  const given = relations.filter(([name]) => trace[name] !== undefined);
  if (given.length === 0)
    return (
      <p className={styles.none}>The record did not refer to an account, contact, vehicle or subscription.</p>
    );
  return (
    <ul className={styles.list}>
      {given.map(([name, kind]) => {
        const relation = trace[name] as ResolvedRelation;
        return (
          <li key={name} className={styles.relation}>
            <span className={styles.name}>{name}</span>
            <span>{describeVia(relation.via)}</span>
            {relation.uuid ? (
              <Link href={`/records/${kind}/${relation.uuid}`} className={styles.link}>
                {relation.uuid}
              </Link>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

const viaDescriptions: Record<string, string> = {
  uuid: "found by the UUID that was sent",
  reference: "found by its third-party reference",
  email: "found by e-mail",
  phone: "found by phone number",
  plate: "found by license plate",
  created: "created by this record",
  dropped: "dropped: the record has no account to attach it to",
};

function describeVia(via: string): string {
  return viaDescriptions[via] ?? via;
}

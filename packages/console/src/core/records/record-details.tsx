import type {
  FieldValue as Value,
  Occurrence,
  RecordDetail,
  RecordKind,
  RecordLink,
  ResolutionTrace,
  ResolvedRelation,
} from "@gatehouse-parking/contract/console";
import { reasonName } from "@gatehouse-parking/contract";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Absent, showValue } from "../ui/facts.js";

import { Panel } from "../ui/page.js";
import { LocalTime, Moment, relativeTime, Time, useNow } from "../ui/time.js";
import { amountText, enumName, kinds, toLabel } from "./record-kinds.js";
import styles from "./records.module.css";
import { texts } from "./texts.js";

/** The time zone of the record's location, if it has one. */
export function zoneOf(fields: Record<string, Value>): string | undefined {
  const zone = fields["timeZone"];
  return typeof zone === "string" ? zone : undefined;
}

/** Fields with timestamps. Other fields are shown as sent, even if they look like a time. */
const momentFields = new Set([
  "transactionDate",
  "sessionStart",
  "sessionEnd",
  "scheduledArrival",
  "scheduledExit",
  "startDate",
  "endDate",
]);

export function FieldValue({
  kind,
  field,
  value,
  withNumber = false,
  timeZone,
}: {
  kind: RecordKind;
  field: string;
  value: Value | undefined;
  /** Also shows the number that the API uses for an enumeration value. */
  withNumber?: boolean;
  /** Timestamps are shown in this zone. */
  timeZone?: string | undefined;
}) {
  const now = useNow();
  if (value === null || value === undefined || value === "") return <Absent />;
  if (typeof value === "boolean") return showValue(value);
  const name = enumName(kind, field, value);
  if (name) return withNumber ? `${toLabel(name)} (${value})` : toLabel(name);
  const text = amountText(kind, field, value) ?? String(value);
  if (momentFields.has(field)) {
    if (timeZone !== undefined) return <LocalTime value={text} timeZone={timeZone} />;
    return (
      <time dateTime={text} title={relativeTime(text, now)}>
        {text}
      </time>
    );
  }
  return <span className={typeof value === "number" ? "numeric" : undefined}>{text}</span>;
}

const dateAtEnd = /\d{4}-\d{2}-\d{2}$/;

/** Isolates a date at the end, so that a right-to-left name before it does not reverse it. */
export function RecordTitle({ title }: { title: string }) {
  const date = dateAtEnd.exec(title);
  if (!date) return title;
  return (
    <>
      {title.slice(0, date.index)}
      <bdi>{date[0]}</bdi>
    </>
  );
}

/** Where a record was created, and every later batch that contained it, oldest first. */
export function RecordHistory({ record }: { record: RecordDetail }) {
  const { createdIn, occurrences } = record;
  return (
    <HistoryList>
      <HistoryEntry outcome="created" at={createdIn.startedAt ?? record.createdAt}>
        {texts.history.created(createdIn.position, <ImportLink referenceUuid={createdIn.referenceUuid} />)}
      </HistoryEntry>
      <Occurrences occurrences={occurrences.toReversed()} />
    </HistoryList>
  );
}

export function HistoryList({ children }: { children: ReactNode }) {
  return <ol className={styles.history}>{children}</ol>;
}

export function HistoryEntry({
  outcome,
  at,
  children,
}: {
  outcome: "created" | "skipped" | "failed";
  at: string | null;
  children: ReactNode;
}) {
  return (
    <li className={styles[outcome]}>
      <div className={styles.what}>{children}</div>
      <Moment value={at} />
    </li>
  );
}

/** UUIDs created at the same time start alike, so the end is shown. */
export function ImportLink({ referenceUuid }: { referenceUuid: string }) {
  return <Link href={`/imports/${referenceUuid}`}>{texts.history.import(referenceUuid)}</Link>;
}

export function Occurrences({ occurrences }: { occurrences: readonly Occurrence[] }) {
  return occurrences.map((occurrence) => (
    <OccurrenceEntry key={`${occurrence.referenceUuid}-${occurrence.position}`} occurrence={occurrence} />
  ));
}

function OccurrenceEntry({ occurrence }: { occurrence: Occurrence }) {
  const failed = occurrence.status === 4;
  return (
    <HistoryEntry outcome={failed ? "failed" : "skipped"} at={occurrence.startedAt}>
      {texts.history.sentAgain(
        failed,
        occurrence.position,
        <ImportLink referenceUuid={occurrence.referenceUuid} />,
        reasonName(occurrence.reasonCode),
      )}
      {occurrence.errorDetail && failed ? <p className={styles.detail}>{occurrence.errorDetail}</p> : null}
      {occurrence.hasDifferences ? (
        <p className={styles.detail}>
          {texts.history.differs}{" "}
          <Link href={`/imports/${occurrence.referenceUuid}?show=differing`}>
            {texts.history.showDifferences}
          </Link>
        </p>
      ) : null}
      {occurrence.repeated ? (
        <p className={styles.detail}>
          {texts.history.repeated(
            occurrence.repeated.count,
            <Link href={`/imports/${occurrence.repeated.lastReferenceUuid}`}>
              <Time value={occurrence.repeated.lastAt} />
            </Link>,
          )}
        </p>
      ) : null}
    </HistoryEntry>
  );
}

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
    <Panel title={texts.links.title}>
      <ul className={styles.list}>
        {record.links.map((link) => (
          <LinkedRecord key={`${link.kind}-${link.uuid}`} link={link} />
        ))}
        {dropped ? (
          <li className={styles.item}>
            <span className={styles.kind}>{texts.links.subscription}</span>
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
              {texts.links.all(group.kind, kinds[record.kind].singular.toLowerCase())}
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
          {link.kind === "locations" ? texts.links.location : kinds[link.kind].singular}
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
  if (given.length === 0) return <p className={styles.none}>{texts.links.none}</p>;
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

function describeVia(via: string): string {
  return texts.links.via[via] ?? via;
}

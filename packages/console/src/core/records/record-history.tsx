import { reasonName } from "@gatehouse-parking/contract";
import type { Occurrence, RecordDetail } from "@gatehouse-parking/contract/console";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { pluralize } from "../ui/format.js";
import { Moment, Time } from "../ui/time.js";
import styles from "./records.module.css";

/** Where a record was created, and every later batch that contained it, oldest first. */
export function RecordHistory({ record }: { record: RecordDetail }) {
  const { createdIn, occurrences } = record;
  return (
    <HistoryList>
      <HistoryEntry outcome="created" at={createdIn.startedAt ?? record.createdAt}>
        <strong>Created</strong> by record {createdIn.position + 1} of{" "}
        <ImportLink referenceUuid={createdIn.referenceUuid} />
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
  return <Link href={`/imports/${referenceUuid}`}>run …{referenceUuid.slice(-8)}</Link>;
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
      <strong>{failed ? "Failed" : "Skipped"}</strong> as record {occurrence.position + 1} of{" "}
      <ImportLink referenceUuid={occurrence.referenceUuid} />: {reasonName(occurrence.reasonCode)}
      {occurrence.errorDetail && failed ? <p className={styles.detail}>{occurrence.errorDetail}</p> : null}
      {occurrence.hasDifferences ? (
        <p className={styles.detail}>
          It was sent with values that differ from the stored ones.{" "}
          <Link href={`/imports/${occurrence.referenceUuid}?show=differing`}>Show the differences</Link>
        </p>
      ) : null}
      {occurrence.repeated ? (
        <p className={styles.detail}>
          {pluralize(occurrence.repeated.count, "more run")} ended alike, the last one{" "}
          <Link href={`/imports/${occurrence.repeated.lastReferenceUuid}`}>
            <Time value={occurrence.repeated.lastAt} />
          </Link>
        </p>
      ) : null}
    </HistoryEntry>
  );
}

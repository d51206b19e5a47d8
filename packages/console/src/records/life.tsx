import { reasonName } from "@gatehouse-parking/contract";
import type { DeletedRecord, Occurrence, RecordDetail, TakenBack } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { counted } from "../ui/counted.js";
import { Moment, Time } from "../ui/time.js";
import { recordFacts } from "./facts.js";
import styles from "./life.module.css";

/** Where a record was created, and every later batch that sent it again. Oldest first, as it happened. */
export function Life({ record }: { record: RecordDetail }) {
  const { createdIn, occurrences } = record;
  return (
    <ol className={styles.list}>
      <li className={styles.created}>
        <div className={styles.what}>
          <strong>Created</strong> by record {createdIn.position + 1} of{" "}
          <Link href={`/imports/${createdIn.referenceUuid}`}>run {short(createdIn.referenceUuid)}</Link>
        </div>
        <Moment value={createdIn.startedAt ?? record.createdAt} />
      </li>
      {occurrences.toReversed().map((occurrence) => (
        <Mention key={`${occurrence.referenceUuid}-${occurrence.position}`} occurrence={occurrence} />
      ))}
    </ol>
  );
}

export function Mentions({ occurrences }: { occurrences: readonly Occurrence[] }) {
  return (
    <ol className={styles.list}>
      {occurrences.map((occurrence) => (
        <Mention key={`${occurrence.referenceUuid}-${occurrence.position}`} occurrence={occurrence} />
      ))}
    </ol>
  );
}

export function TakenBackRecords({ records }: { records: readonly TakenBack[] }) {
  return (
    <ol className={styles.list}>
      {records.map((record) => (
        <li key={record.uuid} className={styles.skipped}>
          <div className={styles.what}>
            <strong>Taken back</strong> by {record.by}: the {recordFacts[record.kind].singular} that record{" "}
            {record.position + 1} of{" "}
            <Link href={`/imports/${record.referenceUuid}`}>run {short(record.referenceUuid)}</Link> had
            created
          </div>
          <Moment value={record.at} />
        </li>
      ))}
    </ol>
  );
}

export function DeletedRecords({ records }: { records: readonly DeletedRecord[] }) {
  return (
    <ol className={styles.list}>
      {records.map((record) => (
        <li key={record.uuid} className={styles.skipped}>
          <div className={styles.what}>
            <strong>Deleted</strong> when its time was over: the {recordFacts[record.kind].singular} that
            record {record.position + 1} of{" "}
            <Link href={`/imports/${record.referenceUuid}`}>run {short(record.referenceUuid)}</Link> had
            created. Its key is still known
          </div>
          <Moment value={record.at} />
        </li>
      ))}
    </ol>
  );
}

function Mention({ occurrence }: { occurrence: Occurrence }) {
  const failed = occurrence.status === 4;
  return (
    <li className={failed ? styles.failed : styles.skipped}>
      <div className={styles.what}>
        <strong>{failed ? "Failed" : "Skipped"}</strong> as record {occurrence.position + 1} of{" "}
        <Link href={`/imports/${occurrence.referenceUuid}`}>run {short(occurrence.referenceUuid)}</Link>:{" "}
        {reasonName(occurrence.reasonCode)}
        {occurrence.errorDetail && failed ? <p className={styles.detail}>{occurrence.errorDetail}</p> : null}
        {occurrence.hasDifferences ? (
          <p className={styles.detail}>
            It was sent with values that differ from the stored ones.{" "}
            <Link href={`/imports/${occurrence.referenceUuid}?show=differing`}>Show the differences</Link>
          </p>
        ) : null}
        {occurrence.repeated ? (
          <p className={styles.detail}>
            {counted(occurrence.repeated.count, "more run")} ended alike, the last one{" "}
            <Link href={`/imports/${occurrence.repeated.lastReferenceUuid}`}>
              <Time value={occurrence.repeated.lastAt} />
            </Link>
          </p>
        ) : null}
      </div>
      <Moment value={occurrence.startedAt} />
    </li>
  );
}

/** Enough of a run's uuid to tell it from its neighbours: uuids made at the same time begin alike. */
function short(uuid: string): string {
  return `…${uuid.slice(-8)}`;
}

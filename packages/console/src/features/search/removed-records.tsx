import type { DeletedRecord, TakenBack } from "@gatehouse-parking/contract/console";
import { recordFacts } from "../../core/records/record-facts.js";
import { HistoryEntry, HistoryList, ImportLink } from "../../core/records/record-history.js";

/** Records that are gone because their import was undone. */
export function UndoneRecords({ records }: { records: readonly TakenBack[] }) {
  return (
    <HistoryList>
      {records.map((record) => (
        <HistoryEntry key={record.uuid} outcome="skipped" at={record.at}>
          <strong>Taken back</strong> by {record.by}: the {recordFacts[record.kind].singular} that record{" "}
          {record.position + 1} of <ImportLink referenceUuid={record.referenceUuid} /> had created
        </HistoryEntry>
      ))}
    </HistoryList>
  );
}

/** Records that were deleted when their retention period ended. */
export function DeletedRecords({ records }: { records: readonly DeletedRecord[] }) {
  return (
    <HistoryList>
      {records.map((record) => (
        <HistoryEntry key={record.uuid} outcome="skipped" at={record.at}>
          <strong>Deleted</strong> when its time was over: the {recordFacts[record.kind].singular} that record{" "}
          {record.position + 1} of <ImportLink referenceUuid={record.referenceUuid} /> had created. Its key is
          still known
        </HistoryEntry>
      ))}
    </HistoryList>
  );
}

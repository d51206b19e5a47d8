import { Alert, Badge, Button } from "@mantine/core";
import type {
  DeletedRecord,
  MatchedBy,
  RecordDetail,
  SearchAnswer,
  SearchHit,
  TakenBack,
} from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import {
  HistoryEntry,
  HistoryList,
  ImportLink,
  LinkedRecords,
  Occurrences,
  RecordHistory,
  RecordTitle,
} from "../../core/records/record-details.js";
import { recordFacts } from "../../core/records/record-facts.js";
import { kinds } from "../../core/records/record-kinds.js";
import { RecordFields } from "../../core/records/record-page.js";
import { JsonText } from "../../core/ui/copyable.js";
import { Page, Panel } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Empty, Failure, RowsLoading } from "../../core/ui/states.js";
import styles from "./search-page.module.css";

/** Other matches are named like the field. */
const matchLabels: Partial<Record<MatchedBy, string>> = {
  email: "e-mail",
  phone: "phone number",
  plate: "license plate",
  requestId: "request id",
};

function describeMatch(matchedBy: MatchedBy): string {
  return `by ${matchLabels[matchedBy] ?? matchedBy}`;
}

export default function SearchPage() {
  const { params } = useQueryState();
  const text = params.get("q")?.trim() ?? "";
  const answer = useApi("search", { query: { q: text }, enabled: text !== "" });
  return (
    <Page title={text === "" ? "Search" : `Search: ${text}`} heading="Search">
      {text === "" ? (
        <Empty title="What are you looking for?">
          Enter a transactionId, tpReferenceId, UUID, e-mail, phone number, plate, referenceUuid or request id
          in the search box at the top.
        </Empty>
      ) : null}
      {answer.isLoading ? <RowsLoading /> : null}
      <Failure error={answer.error} retry={() => void answer.refetch()} />
      {answer.data && text !== "" ? <Answer answer={answer.data} /> : null}
    </Page>
  );
}

function Answer({ answer }: { answer: SearchAnswer }) {
  const { hits, unstored, takenBack, deleted } = answer;
  if ([hits, unstored, takenBack, deleted].every(({ length }) => length === 0)) {
    return (
      <Panel>
        <Empty title={`No results for “${answer.query}”`}>
          References must match as a whole; upper and lower case do not matter. Only the first 100 failed
          records of a run are kept; later ones were reported only to the sender.
        </Empty>
      </Panel>
    );
  }
  // A single hit is expanded.
  const single = answer.hits.length === 1;
  return (
    <>
      {answer.hits.map((hit) => (
        <Hit key={"record" in hit ? hit.record.uuid : hit.uuid} hit={hit} open={single} />
      ))}
      {answer.takenBack.length > 0 ? (
        <Panel
          title="Taken back"
          description="Records that were stored and are gone, because their run was taken back."
        >
          <UndoneRecords records={answer.takenBack} />
        </Panel>
      ) : null}
      {deleted.length > 0 ? (
        <Panel title="Deleted" description="Records that were stored until their time was over.">
          <DeletedRecords records={deleted} />
        </Panel>
      ) : null}
      {answer.unstored.length > 0 ? (
        <Panel
          title="Sent, but not stored"
          description="Batches that contained this reference but did not create a record."
        >
          <HistoryList>
            <Occurrences occurrences={answer.unstored} />
          </HistoryList>
        </Panel>
      ) : null}
      {answer.truncated ? (
        <Alert color="gray" p="sm">
          There are more results than fit here. Make your search more specific, or filter the lists of
          records.
        </Alert>
      ) : null}
    </>
  );
}

const hitPages = {
  runs: ["Import run", (uuid: string) => `/imports/${uuid}`],
  leads: ["Lead", (uuid: string) => `/leads/${uuid}`],
  locations: ["Location", (uuid: string) => `/locations/${uuid}`],
  "api-keys": ["API key", () => "/settings/api-keys"],
} as const;

function Hit({ hit, open }: { hit: SearchHit; open: boolean }) {
  if ("record" in hit) return <RecordHit record={hit.record} matchedBy={hit.matchedBy} openAtFirst={open} />;
  const [label, address] = hitPages[hit.kind];
  return (
    <Panel>
      <div className={styles.title}>
        <Badge color="gray">{label}</Badge>
        <Link href={address(hit.uuid)}>{hit.title}</Link>
        <span className={styles.how}>{describeMatch(hit.matchedBy)}</span>
      </div>
      <div className={styles.subtitle}>{hit.subtitle}</div>
    </Panel>
  );
}

function RecordHit({
  record,
  matchedBy,
  openAtFirst,
}: {
  record: RecordDetail;
  matchedBy: MatchedBy;
  openAtFirst: boolean;
}) {
  const [open, setOpen] = useState(openAtFirst);
  return (
    <article className={styles.hit}>
      <header className={styles.title}>
        <Badge color="gray">{kinds[record.kind].singular}</Badge>
        <Link href={`/records/${record.kind}/${record.uuid}`} className="monospace">
          {record.reference}
        </Link>
        <span>
          <RecordTitle title={record.title} />
        </span>
        <span className={styles.how}>{describeMatch(matchedBy)}</span>
        <Button size="compact-xs" variant="default" onClick={() => setOpen(!open)} aria-expanded={open}>
          {open ? "Hide history" : "Show history"}
        </Button>
      </header>
      {open ? (
        <div className={styles.body}>
          <Panel title="History">
            <RecordHistory record={record} />
          </Panel>
          <LinkedRecords record={record} />
          <Panel title="Fields">
            <RecordFields record={record} />
          </Panel>
          {record.metadata ? (
            <Panel title="Metadata">
              <JsonText text={record.metadata} label="Metadata" maxHeight={320} />
            </Panel>
          ) : null}
          {record.isMetadataLeftOut ? (
            <Panel title="Metadata" description="It is long. The page of the record shows all of it." />
          ) : null}
        </div>
      ) : null}
    </article>
  );
}

/** Records that are gone because their import was undone. */
function UndoneRecords({ records }: { records: readonly TakenBack[] }) {
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
function DeletedRecords({ records }: { records: readonly DeletedRecord[] }) {
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

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
import { RecordFields } from "../../core/records/record-page.js";
import { JsonText } from "../../core/ui/copyable.js";
import { Page, Panel } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Empty, Failure, RowsLoading } from "../../core/ui/states.js";
import { describeKind, pageOf } from "./found.js";
import styles from "./search-page.module.css";
import { texts } from "./texts.js";

function describeMatch(matchedBy: MatchedBy): string {
  return texts.by(texts.matchedBy[matchedBy] ?? matchedBy);
}

export default function SearchPage() {
  const { params } = useQueryState();
  const text = params.get("q")?.trim() ?? "";
  const answer = useApi("search", { query: { q: text }, enabled: text !== "" });
  return (
    <Page title={texts.title(text)} heading={texts.heading}>
      {text === "" ? <Empty title={texts.start}>{texts.startHelp}</Empty> : null}
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
        <Empty title={texts.noResults(answer.query)}>{texts.noResultsHelp}</Empty>
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
        <Panel title={texts.undone.title} description={texts.undone.description}>
          <UndoneRecords records={answer.takenBack} />
        </Panel>
      ) : null}
      {deleted.length > 0 ? (
        <Panel title={texts.deleted.title} description={texts.deleted.description}>
          <DeletedRecords records={deleted} />
        </Panel>
      ) : null}
      {answer.unstored.length > 0 ? (
        <Panel title={texts.notStored.title} description={texts.notStored.description}>
          <HistoryList>
            <Occurrences occurrences={answer.unstored} />
          </HistoryList>
        </Panel>
      ) : null}
      {answer.truncated ? (
        <Alert color="gray" p="sm">
          {texts.truncated}
        </Alert>
      ) : null}
    </>
  );
}

function Hit({ hit, open }: { hit: SearchHit; open: boolean }) {
  if ("record" in hit) return <RecordHit record={hit.record} matchedBy={hit.matchedBy} openAtFirst={open} />;
  return (
    <Panel>
      <div className={styles.title}>
        <Badge color="gray">{describeKind(hit.kind)}</Badge>
        <Link href={pageOf(hit)}>{hit.title}</Link>
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
        <Badge color="gray">{describeKind(record.kind)}</Badge>
        <Link href={pageOf(record)} className="monospace">
          {record.reference}
        </Link>
        <span>
          <RecordTitle title={record.title} />
        </span>
        <span className={styles.how}>{describeMatch(matchedBy)}</span>
        <Button size="compact-xs" variant="default" onClick={() => setOpen(!open)} aria-expanded={open}>
          {open ? texts.hideHistory : texts.showHistory}
        </Button>
      </header>
      {open ? (
        <div className={styles.body}>
          <Panel title={texts.history}>
            <RecordHistory record={record} />
          </Panel>
          <LinkedRecords record={record} />
          <Panel title={texts.fields}>
            <RecordFields record={record} />
          </Panel>
          {record.metadata ? (
            <Panel title={texts.metadata}>
              <JsonText text={record.metadata} label={texts.metadata} maxHeight={320} />
            </Panel>
          ) : null}
          {record.isMetadataLeftOut ? (
            <Panel title={texts.metadata} description={texts.longMetadata} />
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
          {texts.undone.entry(
            record.by,
            recordFacts[record.kind].singular,
            record.position,
            <ImportLink referenceUuid={record.referenceUuid} />,
          )}
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
          {texts.deleted.entry(
            recordFacts[record.kind].singular,
            record.position,
            <ImportLink referenceUuid={record.referenceUuid} />,
          )}
        </HistoryEntry>
      ))}
    </HistoryList>
  );
}

import { Alert, Badge, Button } from "@mantine/core";
import type { MatchedBy, RecordDetail, SearchAnswer, SearchHit } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { RecordFields } from "../records/record-page.js";
import { kinds } from "../records/kinds.js";
import { DeletedRecords, Life, Mentions, TakenBackRecords } from "../records/life.js";
import { LinkedRecords } from "../records/linked-records.js";
import { RecordTitle } from "../records/record-title.js";
import { JsonText } from "../ui/code.js";
import { Page } from "../ui/page.js";
import { Panel } from "../ui/panel.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty, Failure, RowsLoading } from "../ui/states.js";
import styles from "./search-page.module.css";

/** What has a name for people; whatever else it was found by is called as in the interface. */
const spoken: Partial<Record<MatchedBy, string>> = {
  email: "e-mail",
  phone: "phone number",
  plate: "license plate",
  requestId: "request id",
};

function how(matchedBy: MatchedBy): string {
  return `by ${spoken[matchedBy] ?? matchedBy}`;
}

/** Everything known about one reference: where it was created, skipped or failed, and what it is linked to. */
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
      {answer.error ? <Failure error={answer.error} retry={() => void answer.refetch()} /> : null}
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
  // Opened at once if there is only one: the whole life is what was asked for.
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
          <TakenBackRecords records={answer.takenBack} />
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
          <Mentions occurrences={answer.unstored} />
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

const pages = {
  runs: ["Import run", (uuid: string) => `/imports/${uuid}`],
  leads: ["Lead", (uuid: string) => `/leads/${uuid}`],
  locations: ["Location", (uuid: string) => `/locations/${uuid}`],
  "api-keys": ["API key", () => "/settings/api-keys"],
} as const;

function Hit({ hit, open }: { hit: SearchHit; open: boolean }) {
  if ("record" in hit) return <RecordHit record={hit.record} matchedBy={hit.matchedBy} openAtFirst={open} />;
  const [label, address] = pages[hit.kind];
  return (
    <Panel>
      <div className={styles.title}>
        <Badge color="gray">{label}</Badge>
        <Link href={address(hit.uuid)}>{hit.title}</Link>
        <span className={styles.how}>{how(hit.matchedBy)}</span>
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
        <span className={styles.how}>{how(matchedBy)}</span>
        <Button size="compact-xs" variant="default" onClick={() => setOpen(!open)} aria-expanded={open}>
          {open ? "Hide history" : "Show history"}
        </Button>
      </header>
      {open ? (
        <div className={styles.body}>
          <Panel title="History">
            <Life record={record} />
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

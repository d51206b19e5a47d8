import { Alert, Button, Progress } from "@mantine/core";
import { reasonName } from "@gatehouse-parking/contract";
import { Link } from "wouter";
import { saveFile } from "../ui/save-file.js";
import { Failure } from "../ui/states.js";
import { DataTable, type Column } from "../ui/table.js";
import type { FailedRecord, Tally } from "./send-batches.js";
import styles from "./upload.module.css";
import type { Sending } from "./use-sending.js";

const shownFailures = 200;

const failureColumns: Column<FailedRecord>[] = [
  { header: "Line", cell: (failure) => failure.line, align: "right" },
  { header: "Reference", cell: (failure) => <span className="monospace">{failure.reference}</span> },
  {
    header: "Reason",
    cell: (failure) => (failure.reasonCode === null ? "Not sent" : reasonName(failure.reasonCode)),
  },
  { header: "Detail", cell: (failure) => failure.detail, wrap: true },
];

/** The bar, the numbers so far, and what can be done about it at this moment. */
export function SendingProgress({
  sending,
  verbs,
}: {
  sending: Sending;
  verbs: { done: string; created: string };
}) {
  const { state, tally, total, waitSeconds } = sending;
  if (state === "idle") return null;
  return (
    <div>
      <Progress
        value={total === 0 ? 0 : (tally.done / total) * 100}
        animated={state === "running"}
        color={state === "interrupted" ? "red" : "harbour"}
        size="lg"
        aria-label={`${tally.done} of ${total} records ${verbs.done}`}
      />
      <output className={styles.numbers}>
        <span>
          {tally.done.toLocaleString("en")} of {total.toLocaleString("en")} {verbs.done}
        </span>
        <span>
          {verbs.created}: {tally.created.toLocaleString("en")}
        </span>
        <span>Skipped: {tally.skipped.toLocaleString("en")}</span>
        <span>Failed: {tally.failed.toLocaleString("en")}</span>
        {waitSeconds === null ? null : <span>Rate limit reached; continuing in {waitSeconds} s</span>}
      </output>
      {state === "interrupted" ? <Failure error={sending.error} /> : null}
      {state === "cancelled" ? (
        <Alert color="yellow" mt="sm" p="sm">
          Cancelled. What was imported so far is kept; resume whenever you like.
        </Alert>
      ) : null}
      <div className={styles.buttons}>
        {state === "running" ? (
          <Button variant="default" size="xs" onClick={sending.cancel}>
            Cancel
          </Button>
        ) : null}
        {state === "cancelled" || state === "interrupted" ? (
          <Button size="xs" onClick={() => void sending.resume()}>
            Resume
          </Button>
        ) : null}
        {state !== "running" && tally.failures.some((failure) => failure.text !== undefined) ? (
          <Button variant="default" size="xs" onClick={() => saveFailures(tally)}>
            Save failed records as NDJSON
          </Button>
        ) : null}
      </div>
      <Runs tally={tally} />
      {tally.failures.length > 0 ? (
        <div className={styles.failures}>
          <DataTable
            label="Failed records"
            columns={failureColumns}
            rows={tally.failures.slice(0, shownFailures)}
            rowKey={(failure) => String(failure.line)}
          />
        </div>
      ) : null}
    </div>
  );
}

const shownRuns = 10;

function Runs({ tally }: { tally: Tally }) {
  const runs = tally.runs.toReversed();
  if (runs.length === 0) return null;
  return (
    <p className={styles.runs}>
      {runs.length === 1 ? "Run: " : `${runs.length} runs, latest first: `}
      {runs.slice(0, shownRuns).map((run, index) => (
        <span key={run.referenceUuid}>
          {index > 0 ? ", " : ""}
          <Link href={`/imports/${run.referenceUuid}`}>…{run.referenceUuid.slice(-8)}</Link>
          {run.failed > 0 ? ` (${run.failed} failed)` : ""}
        </span>
      ))}
      {runs.length > shownRuns ? " and earlier ones" : ""}
    </p>
  );
}

/** The records exactly as they were sent, one a line: corrected, the file can be dropped here again. */
function saveFailures(tally: Tally): void {
  const lines = tally.failures.flatMap((failure) => (failure.text === undefined ? [] : [failure.text]));
  saveFile("failed-records.ndjson", "application/x-ndjson", `${lines.join("\n")}\n`);
}

import type { ImportResourceName } from "@gatehouse-parking/contract";
import { batchLimits, cutIntoBatches, type Batch } from "../batches.js";
import type { RecognizedSource } from "./input.js";
import { describeInputError, isTemporary } from "./messages.js";
import { startPaceMeter, type PaceMeter } from "./output/progress.js";
import {
  RecordDigest,
  skipProcessed,
  openJournal,
  type Journal,
  type JournalEntry,
  type JournalOwner,
} from "./output/journal.js";
import { outcomeFiles, type OutcomeFiles, type RowOutcome } from "./output/outcome-files.js";
import { count, showProgress, type Progress, type ProgressStream } from "./output/progress.js";
import { receiptFile, type ReceiptFile } from "./output/receipt-file.js";
import { countOutcome, emptyTally, type Tally } from "./output/tally.js";
import { unsentOutcome } from "./offline-check.js";
import {
  FileFindings,
  prepareAll,
  prepareRows,
  type PrepareOptions,
  type Prepared,
  type Finding,
  type Table,
} from "@gatehouse-parking/record-files";
import type { Answer, Sender, SentRecord } from "./senders.js";

/** The push of one file. */
export interface FilePush {
  source: RecognizedSource;
  resource: ImportResourceName;
  /** The folder for outcomes, receipts and the journal. */
  folder: string;
  sender: Sender;
  /** JSON, because its size counts towards the size of requests. */
  metadata: string;
  prepare: PrepareOptions;
  /** Undefined for checks, which always start from the beginning. */
  journalOwner: JournalOwner | undefined;
  /** Whether an import belongs to the organization of the key. */
  isOwnImport: (referenceUuid: string) => Promise<boolean>;
  restart: boolean;
  progressStream: ProgressStream;
  /** Aborted when the user wants to stop. The request in flight finishes and its outcomes are written. */
  stop: AbortSignal;
  /** Receives the progress display, which then shows pauses. */
  onProgress: (progress: Progress) => void;
}

/** Why a push stopped early, and whether the same command may succeed later. */
export interface Interruption {
  reason: string;
  tryAgain: boolean;
}

interface PushResult {
  tally: Tally;
  interruption?: Interruption;
  /** Unusual rows; undefined if not all of them were read. */
  findings?: readonly Finding[];
}

/** What reading the file before the push has found. */
export interface FirstReading {
  rows: number;
  /** Undefined if the rows were only counted. */
  findings?: readonly Finding[];
}

/** Converts, sends and records the outcomes, batch by batch. */
export async function pushTable(
  push: FilePush,
  table: Table,
  { rows: total, findings: found }: Partial<FirstReading> = {},
): Promise<PushResult> {
  const findings = found ? undefined : (push.sender.findings ?? new FileFindings());
  const prepare = prepareRows(table.columns, push.resource, { ...push.prepare, findings });
  const state = await begin(push, table.columns, total);
  const { last } = state;
  if (last) state.progress.note(`continuing after record ${last.tally.records}`);
  try {
    // The files of an earlier push stay untouched until there is something to add.
    if (!last) await beginWriting(state);
    const records = skipProcessed(
      prepareAll(table.rows, prepare),
      last,
      state.digest,
      push.source.file === undefined,
    );
    const limits = batchLimits(push.resource, push.metadata);
    let batches = 0;
    for await (const batch of cutIntoBatches(records, limits, (record) => record.text)) {
      push.stop.throwIfAborted();
      stopIfEverythingFails(state, batches);
      await pushBatch(state, batch);
      batches += 1;
    }
    push.stop.throwIfAborted();
    return { tally: state.tally, findings: found ?? findings?.list() ?? [] };
  } catch (error) {
    if (push.stop.aborted)
      return { tally: state.tally, interruption: { reason: "stopped", tryAgain: false } };
    // An error before the first response is not an interruption, because nothing was sent.
    if (state.tally.records === (last?.tally.records ?? 0)) throw error;
    const named = describeInputError(error, push.source.name) as Error;
    return { tally: state.tally, interruption: { reason: named.message, tryAgain: isTemporary(error) } };
  } finally {
    state.progress.end();
    await Promise.all([state.files.close(), state.receipts.close()]);
    if (state.writing === "in step") await state.journal?.end();
  }
}

async function begin(
  push: FilePush,
  columns: readonly string[],
  total: number | undefined,
): Promise<PushState> {
  const journal = push.journalOwner && (await openJournal(push.folder, push.journalOwner, push));
  const last = journal?.last;
  const files = outcomeFiles({
    folder: push.folder,
    columns,
    delimiter: push.source.reading.delimiter,
    written: journal?.written,
    goesOn: last !== undefined,
    wasKilled: journal?.wasKilled ?? false,
  });
  const progress = showProgress(push.progressStream, push.source.name, total);
  push.onProgress(progress);
  return {
    push,
    total,
    last,
    // The journal of an earlier release may lack newer fields.
    tally: { ...emptyTally(), ...structuredClone(last?.tally) },
    run: last?.run,
    digest: new RecordDigest(columns),
    files,
    receipts: receiptFile(push.folder),
    journal,
    progress,
    pace: startPaceMeter(),
    writing: "not begun",
  };
}

async function beginWriting(state: PushState): Promise<void> {
  await state.files.ready();
  await state.journal?.begin();
  state.writing = "in step";
}

interface PushState {
  push: FilePush;
  total: number | undefined;
  /** The position of an earlier run. */
  last: JournalEntry | undefined;
  tally: Tally;
  /** The referenceUuid of the latest import. */
  run: string | undefined;
  digest: RecordDigest;
  files: OutcomeFiles;
  receipts: ReceiptFile;
  journal: Journal | undefined;
  progress: Progress;
  pace: PaceMeter;
  /** Whether the files match the journal. */
  writing: "not begun" | "in step" | "ahead";
}

async function pushBatch(state: PushState, batch: Batch<Prepared>): Promise<void> {
  if (state.writing === "not begun") await beginWriting(state);
  const sent = batch.records.flatMap(({ text, line }) => (text === undefined ? [] : { text, line }));
  const { results, ...answer } = await sendRecords(state, sent);
  const answered = results[Symbol.iterator]();
  const outcomes = batch.records.map((row): RowOutcome<Prepared> =>
    row.text === undefined
      ? { row, outcome: unsentOutcome(row), referenceUuid: undefined }
      : { row, ...(answered.next().value as Answer["results"][number]) },
  );
  await persistOutcomes(state, outcomes, answer);
  state.progress.show({
    tally: state.tally,
    total: state.total,
    recordsPerSecond: state.pace.recordsPerSecond(),
    timeLeftMs:
      state.total === undefined ? undefined : state.pace.timeLeftMs(state.total - state.tally.records),
  });
}

/** Only what is on disk counts: a push that cannot write makes no progress. */
async function persistOutcomes(
  state: PushState,
  outcomes: readonly RowOutcome<Prepared>[],
  { requests, receipts }: Omit<Answer, "results">,
): Promise<void> {
  const tally = structuredClone(state.tally);
  tally.requests += requests;
  for (const { row, outcome } of outcomes) {
    state.digest.add(row);
    countOutcome(tally, row, outcome);
  }
  const run = outcomes.find(({ referenceUuid }) => referenceUuid)?.referenceUuid ?? state.run;
  state.writing = "ahead";
  await state.receipts.append(receipts);
  const marks = await state.files.append(outcomes);
  await state.journal?.write({ ...marks, tally, digest: state.digest.value(), ...(run ? { run } : {}) });
  state.writing = "in step";
  state.tally = tally;
  state.run = run;
}

/** After this many batches without a success, the file was misread. */
const maxFailedBatches = 2;

/** A push that was resumed after this error continues, and a dry run checks the whole file. */
function stopIfEverythingFails({ last, tally, push }: PushState, batches: number): void {
  const isDryRun = push.sender.mode === "dry-run";
  if (isDryRun || last || batches !== maxFailedBatches || tally.failed < tally.records) return;
  throw new Error(
    `the first ${count(tally.records)} ${push.resource} all failed, so the rest was not sent. Correct the problems and start over with --restart`,
  );
}

/** Shorter waits are not shown. */
const minShownWaitMs = 3_000;

async function sendRecords(state: PushState, records: readonly SentRecord[]): Promise<Answer> {
  if (records.length === 0) return { results: [], requests: 0, receipts: [] };
  const readyFromMs = performance.now();
  await state.push.sender.ready();
  state.pace.waited(performance.now() - readyFromMs);
  const note = setTimeout(
    () => state.progress.wait("waiting for the response of the service"),
    minShownWaitMs,
  );
  try {
    const answer = await state.push.sender.send(records);
    state.pace.answered(records.length, state.push.sender.limit());
    return answer;
  } finally {
    clearTimeout(note);
  }
}

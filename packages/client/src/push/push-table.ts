import type { ImportResourceName } from "@gatehouse-parking/contract";
import { batchLimits, cutIntoBatches, type Batch } from "../batches.js";
import { isTemporary } from "./failures.js";
import type { RecognizedSource } from "./input.js";
import { inOurWords } from "./messages.js";
import { startPaceMeter, type PaceMeter } from "./output/estimate.js";
import {
  RecordDigest,
  behindJournal,
  openJournal,
  type Journal,
  type JournalEntry,
  type JournalOwner,
} from "./output/journal.js";
import { outcomeFiles, type OutcomeFiles, type RowOutcome } from "./output/outcome-files.js";
import { count, showProgress, type Progress, type ProgressStream } from "./output/progress.js";
import { receiptFile, type ReceiptFile } from "./output/receipt-file.js";
import { countOutcome, emptyTally, type Tally } from "./output/summary.js";
import { refusedOutcome } from "./offline-check.js";
import {
  prepareAll,
  prepareRows,
  type PrepareOptions,
  type Prepared,
  type Table,
} from "@gatehouse-parking/record-files";
import type { Answer, Sender } from "./senders.js";

/** One file on its way into the service. */
export interface FilePush {
  source: RecognizedSource;
  resource: ImportResourceName;
  /** Where outcomes, receipts and journal go. */
  folder: string;
  sender: Sender;
  /** Metadata of the runs, as JSON, because it takes room in the requests. */
  metadata: string;
  prepare: PrepareOptions;
  /** Undefined for checks, which begin anew each time. */
  journalOwner: JournalOwner | undefined;
  /** Whether a run of the service belongs to the organization that pushes. */
  ownsRun: (referenceUuid: string) => Promise<boolean>;
  restart: boolean;
  progressStream: ProgressStream;
  /** Aborted when the user wants to stop: the request under way is finished and written down. */
  stop: AbortSignal;
  /** Told where pauses are to be shown from now on. */
  onProgress: (progress: Progress) => void;
}

/** Why a push ended before the end of its input, and whether the same command may succeed later. */
export interface Interruption {
  reason: string;
  tryAgain: boolean;
}

/** Converts, sends and writes down, batch by batch. */
export async function pushTable(
  push: FilePush,
  table: Table,
  total: number | undefined,
): Promise<{ tally: Tally; interruption?: Interruption }> {
  const prepare = prepareRows(table.columns, push.resource, push.prepare);
  const state = await begin(push, table.columns, total);
  const { last } = state;
  if (last) state.progress.note(`continuing after record ${last.tally.records}`);
  try {
    // The files of an earlier push are left alone until there is something to add.
    if (!last) await beginWriting(state);
    const records = behindJournal(
      prepareAll(table.rows, prepare),
      last,
      state.digest,
      push.source.file === undefined,
    );
    const limits = batchLimits(push.resource, push.metadata);
    let batches = 0;
    for await (const batch of cutIntoBatches(records, limits, (record) => record.text)) {
      push.stop.throwIfAborted();
      stopIfHopeless(state, batches);
      await pushBatch(state, batch);
      batches += 1;
    }
    push.stop.throwIfAborted();
    return { tally: state.tally };
  } catch (error) {
    if (push.stop.aborted)
      return { tally: state.tally, interruption: { reason: "stopped", tryAgain: false } };
    // What goes wrong before the first answer is no interruption: nothing was begun.
    if (state.tally.records === (last?.tally.records ?? 0)) throw error;
    const named = inOurWords(error, push.source.name) as Error;
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
    // The journal of an earlier release may lack what was added since.
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
  /** Where an earlier run of the command stopped. */
  last: JournalEntry | undefined;
  tally: Tally;
  /** The latest run of the service. */
  run: string | undefined;
  digest: RecordDigest;
  files: OutcomeFiles;
  receipts: ReceiptFile;
  journal: Journal | undefined;
  progress: Progress;
  pace: PaceMeter;
  /** Whether the files hold what the journal says. */
  writing: "not begun" | "in step" | "ahead";
}

async function pushBatch(state: PushState, batch: Batch<Prepared>): Promise<void> {
  if (state.writing === "not begun") await beginWriting(state);
  const { results, ...answer } = await sendTexts(
    state,
    batch.texts.filter((text) => text !== undefined),
  );
  const answered = results[Symbol.iterator]();
  const outcomes = batch.records.map((row): RowOutcome<Prepared> =>
    row.text === undefined
      ? { row, outcome: refusedOutcome(row), referenceUuid: undefined }
      : { row, ...(answered.next().value as Answer["results"][number]) },
  );
  await writeDown(state, outcomes, answer);
  state.progress.show({
    tally: state.tally,
    total: state.total,
    recordsPerSecond: state.pace.recordsPerSecond(),
    timeLeftMs:
      state.total === undefined ? undefined : state.pace.timeLeftMs(state.total - state.tally.records),
  });
}

/** What counts is what is on the disk: a push that cannot write has not come further. */
async function writeDown(
  state: PushState,
  outcomes: readonly RowOutcome<Prepared>[],
  { requests, receipts }: Omit<Answer, "results">,
): Promise<void> {
  const tally = structuredClone(state.tally);
  tally.requests += requests;
  for (const { row, outcome } of outcomes) {
    state.digest.add(row);
    tally.ambiguousTimes += row.ambiguousTimes;
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

/** How many batches may fail as a whole before it is clear that the file was not understood. */
const maxHopelessBatches = 2;

/** A push that was told to go on after this does so, and a dry run counts to the end. */
function stopIfHopeless({ last, tally, push }: PushState, batches: number): void {
  const isDryRun = push.sender.mode === "dry-run";
  if (isDryRun || last || batches !== maxHopelessBatches || tally.failed < tally.records) return;
  throw new Error(
    `all of the first ${count(tally.records)} ${push.resource} failed, so the rest was not sent. Correct what was wrong and start over with --restart`,
  );
}

/** A shorter wait for an answer is not worth a word. */
const notedAnswerMs = 3_000;

async function sendTexts(state: PushState, texts: readonly string[]): Promise<Answer> {
  if (texts.length === 0) return { results: [], requests: 0, receipts: [] };
  const readyFromMs = performance.now();
  await state.push.sender.ready();
  state.pace.waited(performance.now() - readyFromMs);
  const note = setTimeout(() => state.progress.wait("waiting for the answer of the service"), notedAnswerMs);
  try {
    const answer = await state.push.sender.send(texts);
    state.pace.answered(texts.length, state.push.sender.limit());
    return answer;
  } finally {
    clearTimeout(note);
  }
}

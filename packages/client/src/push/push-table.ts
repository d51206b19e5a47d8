import type { ImportResourceName } from "@gatehouse-parking/contract";
import { batchLimits, cutIntoBatches, type Batch } from "../batches.js";
import { outcomeOf } from "../outcomes.js";
import { withInputName, type RecognizedSource } from "./input.js";
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
import { showProgress, type Progress, type ProgressStream } from "./output/progress.js";
import { countOutcome, emptyTally, type Tally } from "./output/tally.js";
import type { OfflineOutcome } from "./offline-check.js";
import {
  prepareAll,
  prepareRows,
  type PrepareOptions,
  type Prepared,
  type Table,
} from "@gatehouse-parking/record-files";
import type { Sender } from "./senders.js";

/** One file on its way into the service. */
export interface FilePush {
  source: RecognizedSource;
  resource: ImportResourceName;
  /** Where outcomes and journal go. */
  folder: string;
  sender: Sender;
  /** Metadata of the runs, as JSON, because it takes room in the requests. */
  metadata: string;
  prepare: PrepareOptions;
  /** Undefined for checks, which begin anew each time. */
  journalOwner: JournalOwner | undefined;
  restart: boolean;
  progressStream: ProgressStream;
  /** Aborted when the user wants to stop: the request under way is finished and written down. */
  stop: AbortSignal;
  /** Told where pauses are to be shown from now on. */
  onProgress: (progress: Progress) => void;
}

/** Converts, sends and writes down, batch by batch. */
export async function pushTable(
  push: FilePush,
  table: Table,
  total: number | undefined,
): Promise<{ tally: Tally; interruption?: string }> {
  const prepare = prepareRows(table.columns, push.resource, push.prepare);
  const state = await begin(push, table.columns, total);
  const { last } = state;
  if (last) state.progress.note(`going on after record ${last.tally.records}`);
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
    for await (const batch of cutIntoBatches(records, limits, (record) => record.text)) {
      push.stop.throwIfAborted();
      await pushBatch(state, batch);
    }
    push.stop.throwIfAborted();
    return { tally: state.tally };
  } catch (error) {
    if (push.stop.aborted) return { tally: state.tally, interruption: "stopped" };
    // What goes wrong before the first answer is no interruption: nothing was begun.
    if (state.tally.records === (last?.tally.records ?? 0)) throw error;
    const named = withInputName(error, push.source) as Error;
    return { tally: state.tally, interruption: named.message };
  } finally {
    state.progress.end();
    await state.files.close();
    if (state.writing === "in step") await state.journal?.end();
  }
}

async function begin(
  push: FilePush,
  columns: readonly string[],
  total: number | undefined,
): Promise<PushState> {
  const journal = push.journalOwner && (await openJournal(push.folder, push.journalOwner, push.restart));
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
    tally: last ? structuredClone(last.tally) : emptyTally(),
    digest: new RecordDigest(columns),
    files,
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
  digest: RecordDigest;
  files: OutcomeFiles;
  journal: Journal | undefined;
  progress: Progress;
  pace: PaceMeter;
  /** Whether the files hold what the journal says. */
  writing: "not begun" | "in step" | "ahead";
}

async function pushBatch(state: PushState, batch: Batch<Prepared>): Promise<void> {
  if (state.writing === "not begun") await beginWriting(state);
  const answer = await sendTexts(
    state,
    batch.texts.filter((text) => text !== undefined),
  );
  const answered = answer.outcomes[Symbol.iterator]();
  const outcomes = batch.records.map((record): RowOutcome => {
    const isSent = record.text !== undefined;
    return {
      row: record,
      outcome: isSent ? (answered.next().value as OfflineOutcome) : refusedOutcome(record),
      referenceUuid: isSent ? answer.referenceUuid : undefined,
    };
  });
  await writeDown(state, batch.records, outcomes);
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
  records: readonly Prepared[],
  outcomes: readonly RowOutcome[],
): Promise<void> {
  const tally = structuredClone(state.tally);
  if (records.some((record) => record.text !== undefined)) tally.requests += 1;
  for (const record of records) {
    state.digest.add(record);
    tally.ambiguousTimes += record.ambiguousTimes;
  }
  for (const { outcome } of outcomes) countOutcome(tally, outcome);
  state.writing = "ahead";
  const marks = await state.files.append(outcomes);
  await state.journal?.write({ ...marks, tally, digest: state.digest.value() });
  state.writing = "in step";
  state.tally = tally;
}

async function sendTexts(state: PushState, texts: readonly string[]): ReturnType<Sender["send"]> {
  if (texts.length === 0) return { outcomes: [], referenceUuid: undefined };
  const readyFromMs = performance.now();
  await state.push.sender.ready();
  state.pace.waited(performance.now() - readyFromMs);
  const answer = await state.push.sender.send(texts);
  state.pace.answered(texts.length, state.push.sender.limit());
  return answer;
}

/** A record that was not sent failed as well; its outcome looks like the service's. */
function refusedOutcome({ refusal }: Prepared): OfflineOutcome {
  return outcomeOf({
    reference: refusal?.reference ?? "",
    status: 4,
    reasonCode: 5,
    errorDetail: refusal?.detail ?? "",
  });
}

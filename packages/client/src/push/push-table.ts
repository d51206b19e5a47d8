import type { ImportResourceName } from "@gatehouse/contract";
import { batchLimits, cutIntoBatches, type Batch } from "../batches.js";
import { outcomeOf } from "../outcomes.js";
import { withInputName, type InputSource } from "./input/open.js";
import type { Table } from "./input/table.js";
import { startPaceMeter, type PaceMeter } from "./output/estimate.js";
import {
  RecordDigest,
  behindJournal,
  openJournal,
  type Journal,
  type JournalEntry,
  type JournalOwner,
} from "./output/journal.js";
import { openOutcomeFiles, type OutcomeFiles, type RowOutcome } from "./output/outcome-files.js";
import { showProgress, type Progress, type ProgressStream } from "./output/progress.js";
import { countOutcome, emptyTally, type Tally } from "./output/tally.js";
import type { OfflineOutcome } from "./record/offline-check.js";
import { prepareAll, prepareRows, type PrepareOptions, type Prepared } from "./record/prepare.js";
import type { Sender } from "./senders.js";

/** One file on its way into the service. */
export interface FilePush {
  source: InputSource;
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
  standardInput: AsyncIterable<Buffer>;
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
    const records = behindJournal(prepareAll(table.rows, prepare), last, state.digest);
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
  }
}

async function begin(
  push: FilePush,
  columns: readonly string[],
  total: number | undefined,
): Promise<PushState> {
  const journal = push.journalOwner && (await openJournal(push.folder, push.journalOwner, push.restart));
  const last = journal?.last;
  const files = await openOutcomeFiles({
    folder: push.folder,
    columns,
    delimiter: push.source.delimiter,
    keep: last,
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
  };
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
}

async function pushBatch(state: PushState, batch: Batch<Prepared>): Promise<void> {
  const { tally } = state;
  const answer = await sendTexts(
    state,
    batch.texts.filter((text) => text !== undefined),
  );
  const answered = answer.outcomes[Symbol.iterator]();
  const outcomes = batch.records.map((record): RowOutcome => {
    const outcome =
      record.text === undefined ? refusedOutcome(record) : (answered.next().value as OfflineOutcome);
    state.digest.add(record);
    tally.ambiguousTimes += record.ambiguousTimes;
    countOutcome(tally, outcome);
    return {
      row: record,
      outcome,
      referenceUuid: record.text === undefined ? undefined : answer.referenceUuid,
    };
  });
  const sizes = await state.files.append(outcomes);
  await state.journal?.write({ ...sizes, tally, digest: state.digest.value() });
  state.progress.show({
    tally,
    total: state.total,
    recordsPerSecond: state.pace.recordsPerSecond(),
    timeLeftMs: state.total === undefined ? undefined : state.pace.timeLeftMs(state.total - tally.records),
  });
}

async function sendTexts(state: PushState, texts: readonly string[]): ReturnType<Sender["send"]> {
  if (texts.length === 0) return { outcomes: [], referenceUuid: undefined };
  const readyFromMs = performance.now();
  await state.push.sender.ready();
  state.pace.waited(performance.now() - readyFromMs);
  const answer = await state.push.sender.send(texts);
  state.pace.answered(texts.length, state.push.sender.limit());
  state.tally.requests += 1;
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

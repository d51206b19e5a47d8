import { batchBody, type Batch } from "@gatehouse-parking/client/batches";
import type { Prepared } from "@gatehouse-parking/record-files";
import { RecordStatus, type ImportResourceName, type RecordResult } from "@gatehouse-parking/contract";
import { send } from "../api/client.js";
import { Refused, Unreachable } from "../api/failure.js";
import { addressOf } from "../api/routes.js";

export interface FailedRecord {
  line: number;
  reference: string;
  reasonCode: number | null;
  detail: string;
  /** The record as it was sent; undefined if it could not be sent. */
  text: string | undefined;
}

export interface Tally {
  /** Records that are decided. */
  done: number;
  created: number;
  skipped: number;
  failed: number;
  runs: { referenceUuid: string; failed: number }[];
  failures: FailedRecord[];
}

export const emptyTally: Tally = { done: 0, created: 0, skipped: 0, failed: 0, runs: [], failures: [] };

export interface SendOptions {
  mode: "validateBatch" | "importBatch";
  organizationUuid: string;
  resource: ImportResourceName;
  /** Kept on every run, so that the runs of one file can be told from others. */
  metadata: string;
  batches: readonly Batch<Prepared>[];
  /** The first batch to send: later ones when an upload is resumed. */
  from: number;
  tally: Tally;
  onBatch: (next: number, tally: Tally) => void;
  onWait: (seconds: number | null) => void;
  signal: AbortSignal;
}

/**
 * Sends one batch after the other and adds up what became of the records. A batch that is cut off can be sent again
 * without harm, because what it stored is skipped the second time; so resuming starts with the batch that did not
 * answer. Throws Refused or Unreachable; ends quietly when `signal` is aborted.
 */
export async function sendBatches(options: SendOptions): Promise<void> {
  let { tally } = options;
  for (let index = options.from; index < options.batches.length; index += 1) {
    if (options.signal.aborted) return;
    const batch = options.batches[index] as Batch<Prepared>;
    const results = await sendBatch(batch, options);
    if (results === null) return;
    tally = add(tally, batch, results);
    options.onBatch(index + 1, tally);
  }
}

interface BatchAnswer {
  referenceUuid?: string;
  results: RecordResult[];
}

async function sendBatch(batch: Batch<Prepared>, options: SendOptions): Promise<BatchAnswer | null> {
  const texts = batch.texts.filter((text) => text !== undefined);
  if (texts.length === 0) return { results: [] };
  const { organizationUuid, resource, mode } = options;
  for (;;) {
    const response = await send(mode, {
      address: addressOf(mode, { organizationUuid, resource }),
      body: batchBody(resource, texts, options.metadata),
    }).catch((error: unknown) => {
      throw error instanceof Unreachable ? new Unreachable(error, { isRepeatable: true }) : error;
    });
    if (response.status === 429) {
      if (!(await pause(waitSecondsOf(response.headers), options))) return null;
      continue;
    }
    const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
    if (!response.ok) throw new Refused(response.status, refusalOf(body));
    return body as unknown as BatchAnswer;
  }
}

const longestWaitSeconds = 60;

/** Until the next request has room. Told by the server's own clock, because this machine's may be wrong. */
function waitSecondsOf(headers: Headers): number {
  const resetSeconds = Number(headers.get("x-ratelimit-reset"));
  const serverSeconds = Date.parse(headers.get("date") ?? "") / 1000;
  const seconds = Math.ceil(resetSeconds - serverSeconds);
  return seconds >= 1 && seconds <= longestWaitSeconds ? seconds : longestWaitSeconds;
}

/** The import interface has three shapes of error bodies; all of them have a sentence somewhere. */
function refusalOf(body: Record<string, unknown>) {
  const message = body["message"] ?? body["error"] ?? body["title"];
  const errors = Array.isArray(body["errors"]) ? body["errors"].map(String) : [];
  if (body["referenceUuid"] !== undefined)
    return {
      message: "The service failed while storing this batch",
      errors: [saidOfRecords(body), resumeAdvice],
    };
  return { ...body, ...(typeof message === "string" ? { message } : {}), errors };
}

const resumeAdvice = "Resume to send it again: records that are already stored will be skipped.";

/** Whether nothing was stored, or nobody knows, is said of each record; it is the same for all of them. */
function saidOfRecords({ results }: Record<string, unknown>): string {
  const [first] = Array.isArray(results) ? (results as RecordResult[]) : [];
  return first?.errorDetail ?? "It may or may not have been stored.";
}

/** Counts down, so that the page shows that it waits and for how long. False: cancelled. */
async function pause(seconds: number, { onWait, signal }: SendOptions): Promise<boolean> {
  for (let left = seconds; left > 0 && !signal.aborted; left -= 1) {
    onWait(left);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  onWait(null);
  return !signal.aborted;
}

function add(tally: Tally, batch: Batch<Prepared>, answer: BatchAnswer): Tally {
  const next: Tally = {
    ...tally,
    done: tally.done + batch.records.length,
    runs: [...tally.runs],
    failures: [...tally.failures],
  };
  let position = 0;
  let failedInRun = 0;
  for (const record of batch.records) {
    const result = record.text === undefined ? undefined : answer.results[position++];
    if (result?.status === RecordStatus.Created) next.created += 1;
    else if (result?.status === RecordStatus.Skipped) next.skipped += 1;
    else {
      next.failed += 1;
      if (result) failedInRun += 1;
      next.failures.push({
        line: record.line,
        reference: result?.reference ?? record.refusal?.reference ?? "",
        reasonCode: result?.reasonCode ?? null,
        detail: result?.errorDetail ?? record.refusal?.detail ?? "",
        text: record.text,
      });
    }
  }
  if (answer.referenceUuid) next.runs.push({ referenceUuid: answer.referenceUuid, failed: failedInRun });
  return next;
}

import type { ImportRun } from "@gatehouse-parking/contract";
import pg from "pg";
import type { Statement } from "../database/pipeline.js";
import { setLockTimeout } from "../database/lock-timeout.js";
import { databaseTrouble, isLockTimeout, isWorkerGone } from "../database/sqlstate.js";
import { PipelineQueue } from "../database/pipeline-queue.js";
import { databaseRefusal, Refused } from "../refusals/refused.js";
import { allAtOnce, halving, isRefusal } from "./careful.js";
import type { Decision, Outcome } from "./judge/decision.js";
import { ReplaysGone } from "./read/replays-gone.js";
import type { Submitted } from "./read/submitted.js";
import type { Run } from "./run.js";
import { wasCommittedAfterAll } from "./unknown-end.js";

const maxAttempts = 3;

/** What is tried: one attempt to store a batch, within a transaction. */
export interface Storing {
  records: readonly Submitted[];
  /** Reads every record, also those that were taken for replays. */
  readAll: () => Promise<readonly Submitted[]>;
  store: (queue: PipelineQueue, records: readonly Submitted[], storeParts: StoreParts) => Promise<ImportRun>;
}

/** Stores the records in one part or in several, so that the refusal of one does not take the others with it. */
export type StoreParts = (
  queue: PipelineQueue,
  run: Run,
  records: readonly Submitted[],
  part: PartOfBatch,
) => Promise<Outcome[]>;

/**
 * What is done with a part of the batch, or with all of it. Only what is written can be refused because of a record;
 * `write` says what is to be sent for that.
 */
export interface PartOfBatch {
  judge: (records: readonly Submitted[]) => Promise<Decision[]>;
  write: (records: readonly Submitted[], decisions: readonly Decision[]) => Promise<Statement[]>;
  /** These were written, or will be with all others: a part that was refused is not. */
  count: (records: readonly Submitted[]) => void;
}

/**
 * Stores optimistically: all records at once, without savepoints. If one of them is refused, it starts over in careful
 * mode, which finds the culprit. If the connection broke, it starts over on another one, provided that nothing was
 * committed.
 */
export async function storeWithRetries(pool: pg.Pool, run: Run, storing: Storing): Promise<ImportRun> {
  let isCareful = false;
  let wasBegun = false;
  let { records } = storing;
  for (let attempt = 1; ; attempt += 1) {
    const storeParts = isCareful ? halving : allAtOnce;
    const tried = await run.step("store", () =>
      attemptOnce(pool, run, (queue) => storing.store(queue, records, storeParts)),
    );
    if ("answer" in tried) return tried.answer;
    const { error, isConnected, isBegun, unsettled } = tried;
    // What is refused for what it is, such as a batch beyond its quota, is refused the next time as well.
    if (error instanceof Refused) throw error;
    wasBegun ||= isBegun;
    run.log.warn({ err: error, attempt, careful: isCareful }, "import attempt failed");
    // Nothing was begun, or the lock stayed with another: the request is refused, and there is no failed run to record.
    const isUnconnected = attempt === 1 && !isConnected;
    const isInVain = attempt >= maxAttempts && !wasBegun && isWorkerGone(error);
    const refusal = isUnconnected || isInVain || isLockTimeout(error) ? databaseRefusal(error) : undefined;
    if (refusal && !unsettled) throw refusal;
    // An error at commit does not mean that it was not committed.
    if (unsettled && (await wasCommittedAfterAll(pool, run))) return unsettled;
    if (error instanceof ReplaysGone) records = await storing.readAll();
    const isRetriable =
      error instanceof ReplaysGone || (isRefusal(error) ? !isCareful : databaseTrouble(error) !== undefined);
    if (attempt >= maxAttempts || !isRetriable) throw error;
    isCareful ||= isRefusal(error);
  }
}

type Tried = { answer: ImportRun } | Failure;

interface Failure {
  error: unknown;
  /** There was a connection. */
  isConnected: boolean;
  /** A statement was answered. In a cluster this shows that the machine with the organization's rows was there. */
  isBegun: boolean;
  /** What would be answered if the commit, which was sent, has arrived after all. */
  unsettled: ImportRun | undefined;
}

async function attemptOnce(
  pool: pg.Pool,
  run: Run,
  store: (queue: PipelineQueue) => Promise<ImportRun>,
): Promise<Tried> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    return { error, isConnected: false, isBegun: false, unsettled: undefined };
  }
  const queue = new PipelineQueue(client);
  let broken: Error | undefined;
  let answer: ImportRun | undefined;
  try {
    queue.add({ text: "begin" }, ...setLockTimeout(`${run.maxLockWaitMs}ms`));
    answer = await store(queue);
    await queue.send(run.validateOnly ? { text: "rollback" } : commit);
    return { answer };
  } catch (error) {
    broken = await makeUsable(client, error);
    const mayBeCommitted = !run.validateOnly && (queue.isLastReached || broken !== undefined);
    const unsettled = mayBeCommitted ? answer : undefined;
    return { error, isConnected: true, isBegun: queue.isAnswered, unsettled };
  } finally {
    client.release(broken);
  }
}

/** PostgreSQL answers the commit of a transaction that has failed with a rollback, and calls it no error. */
const commit: Statement = {
  text: "commit",
  take: ({ command }) => {
    if (command !== "COMMIT") throw new Error(`The commit ended as ${command}`);
  },
};

/**
 * Returns the error that makes the connection unfit for further use, if there is one. After an error that the server
 * reported, or a refusal of our own between two statements, it can be used again. Any other error may have left it in
 * the middle of a statement, so it is thrown away.
 */
async function makeUsable(client: pg.PoolClient, error: unknown): Promise<Error | undefined> {
  if (!(error instanceof pg.DatabaseError || error instanceof Refused)) return error as Error;
  try {
    await client.query("rollback");
    return undefined;
  } catch (rollbackError) {
    return rollbackError as Error;
  }
}

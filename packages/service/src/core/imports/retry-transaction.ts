import type { ImportRun } from "@gatehouse-parking/contract";
import pg from "pg";
import { setLockTimeout } from "../database/transaction.js";
import type { Statement } from "../database/pipeline.js";
import { PipelineQueue } from "../database/pipeline-queue.js";
import { databaseTrouble, isLockTimeout, isWorkerGone } from "../database/sqlstate.js";
import { databaseRefusal, Refused } from "../refusals/refused.js";
import { isRecordError } from "./bisect-batch.js";
import { wasCommittedAfterAll } from "./commit-outcome.js";
import { StaleReplaysError } from "./read/recognize.js";
import type { Run } from "./run.js";

const maxAttempts = 3;

/**
 * Stores optimistically: all records at once, without savepoints. If the database rejects a record, the next attempt
 * bisects the batch. If the connection breaks, the next attempt uses another one, unless the commit succeeded.
 */
export async function retryTransaction(
  pool: pg.Pool,
  run: Run,
  store: (attempt: Attempt) => Promise<ImportRun>,
): Promise<ImportRun> {
  let isBisecting = false;
  let wasBegun = false;
  let areReplaysStale = false;
  for (let number = 1; ; number += 1) {
    const attempt = new Attempt(pool, run, { isBisecting, areReplaysStale });
    try {
      return await run.tracer.step("store", () => store(attempt));
    } catch (error) {
      const { isConnected, isBegun, uncertain } = await attempt.abandon(error);
      // For example, a batch beyond the quota. Another attempt would end in the same way.
      if (error instanceof Refused) throw error;
      wasBegun ||= isBegun;
      run.log.warn({ err: error, attempt: number, isBisecting }, "import attempt failed");
      // If no statement ran, or another import holds the lock, the request gets an error and no failed run is recorded.
      const isUnconnected = number === 1 && !isConnected;
      const isWorkerLost = number >= maxAttempts && !wasBegun && isWorkerGone(error);
      const refusal =
        isUnconnected || isWorkerLost || isLockTimeout(error) ? databaseRefusal(error) : undefined;
      if (refusal && !uncertain) throw refusal;
      // The commit may have succeeded although it returned an error.
      if (uncertain && (await wasCommittedAfterAll(pool, run))) return uncertain;
      const isRetriable =
        error instanceof StaleReplaysError ||
        (isRecordError(error) ? !isBisecting : databaseTrouble(error) !== undefined);
      if (number >= maxAttempts || !isRetriable) throw error;
      areReplaysStale ||= error instanceof StaleReplaysError;
      isBisecting ||= isRecordError(error);
    }
  }
}

interface Failure {
  /** There was a connection. */
  isConnected: boolean;
  /** A statement was answered. On a cluster, this shows that the worker with the organization's rows is available. */
  isBegun: boolean;
  /** The answer, in case the commit succeeded. Undefined if it was not sent. */
  uncertain: ImportRun | undefined;
}

/** One attempt to store a batch: a transaction on its own connection. */
export class Attempt {
  /** The database rejected a record in an earlier attempt. */
  readonly isBisecting: boolean;
  /** In an earlier attempt, recognized replays were no longer stored. */
  readonly areReplaysStale: boolean;
  readonly #pool: pg.Pool;
  readonly #run: Run;
  #client: pg.PoolClient | undefined;
  #queue: PipelineQueue | undefined;
  #answer: ImportRun | undefined;

  constructor(
    pool: pg.Pool,
    run: Run,
    { isBisecting, areReplaysStale }: Pick<Attempt, "isBisecting" | "areReplaysStale">,
  ) {
    this.#pool = pool;
    this.#run = run;
    this.isBisecting = isBisecting;
    this.areReplaysStale = areReplaysStale;
  }

  async begin(): Promise<PipelineQueue> {
    this.#client = await this.#pool.connect();
    this.#queue = new PipelineQueue(this.#client);
    this.#queue.add({ text: "begin" }, ...setLockTimeout(`${this.#run.maxLockWaitMs}ms`));
    return this.#queue;
  }

  /** Commits, or rolls back if the run only validates. */
  async commit(answer: ImportRun): Promise<ImportRun> {
    this.#answer = answer;
    await this.#queue?.send(this.#run.validateOnly ? { text: "rollback" } : commit);
    this.#client?.release();
    return answer;
  }

  async abandon(error: unknown): Promise<Failure> {
    const [client, queue] = [this.#client, this.#queue];
    if (!client || !queue) return { isConnected: false, isBegun: false, uncertain: undefined };
    const broken = await rollBack(client, error);
    client.release(broken);
    const mayBeCommitted = !this.#run.validateOnly && (queue.isLastReached || broken !== undefined);
    return {
      isConnected: true,
      isBegun: queue.isAnswered,
      uncertain: mayBeCommitted ? this.#answer : undefined,
    };
  }
}

/** PostgreSQL rolls a failed transaction back at commit without an error. */
const commit: Statement = {
  text: "commit",
  take: ({ command }) => {
    if (command !== "COMMIT") throw new Error(`expected COMMIT, got ${command}`);
  },
};

/**
 * Rolls back, so that the connection can be used again. Returns an error if it cannot: after any error that neither the
 * server nor our own code between two statements has thrown, a statement may still be running.
 */
async function rollBack(client: pg.PoolClient, error: unknown): Promise<Error | undefined> {
  if (!(error instanceof pg.DatabaseError || error instanceof Refused)) return error as Error;
  try {
    await client.query("rollback");
    return undefined;
  } catch (rollbackError) {
    return rollbackError as Error;
  }
}

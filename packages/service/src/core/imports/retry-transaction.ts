import type { ImportRun } from "@gatehouse-parking/contract";
import pg from "pg";
import { setLockTimeout } from "../database/transaction.js";
import type { Statement } from "../database/pipeline.js";
import { PipelineQueue } from "../database/pipeline-queue.js";
import { databaseTrouble, isLockTimeout, isWorkerGone } from "../database/sqlstate.js";
import { databaseRefusal, Refused } from "../refusals/refused.js";
import { isRefusal } from "./bisect-batch.js";
import { wasCommittedAfterAll } from "./commit-outcome.js";
import { ReplaysGone } from "./read/recognize.js";
import type { Run } from "./run.js";

const maxAttempts = 3;

/**
 * Stores optimistically: all records at once, without savepoints. If the database refuses one of them, the next attempt
 * bisects the batch to find it. If the connection broke, the next attempt uses another one, provided that nothing was
 * committed.
 */
export async function retryTransaction(
  pool: pg.Pool,
  run: Run,
  store: (attempt: Attempt) => Promise<ImportRun>,
): Promise<ImportRun> {
  let isBisecting = false;
  let wasBegun = false;
  let areReplaysGone = false;
  for (let number = 1; ; number += 1) {
    const attempt = new Attempt(pool, run, { isBisecting, areReplaysGone });
    try {
      return await run.tracer.step("store", () => store(attempt));
    } catch (error) {
      const { isConnected, isBegun, uncertain } = await attempt.abandon(error);
      // What is refused for what it is, such as a batch beyond its quota, is refused the next time as well.
      if (error instanceof Refused) throw error;
      wasBegun ||= isBegun;
      run.log.warn({ err: error, attempt: number, careful: isBisecting }, "import attempt failed");
      // Nothing was begun, or another import kept the lock: the request is refused, and there is no failed run to record.
      const isUnconnected = number === 1 && !isConnected;
      const isInVain = number >= maxAttempts && !wasBegun && isWorkerGone(error);
      const refusal = isUnconnected || isInVain || isLockTimeout(error) ? databaseRefusal(error) : undefined;
      if (refusal && !uncertain) throw refusal;
      // An error at commit does not mean that it was not committed.
      if (uncertain && (await wasCommittedAfterAll(pool, run))) return uncertain;
      const isRetriable =
        error instanceof ReplaysGone ||
        (isRefusal(error) ? !isBisecting : databaseTrouble(error) !== undefined);
      if (number >= maxAttempts || !isRetriable) throw error;
      areReplaysGone ||= error instanceof ReplaysGone;
      isBisecting ||= isRefusal(error);
    }
  }
}

interface Failure {
  /** There was a connection. */
  isConnected: boolean;
  /** A statement was answered. In a cluster this shows that the machine with the organization's rows was there. */
  isBegun: boolean;
  /** The answer if the commit, which was sent, has arrived after all. */
  uncertain: ImportRun | undefined;
}

/** One attempt to store a batch: a transaction on a connection of its own. */
export class Attempt {
  /** An earlier attempt was refused because of a record. */
  readonly isBisecting: boolean;
  /** An earlier attempt did not find the records that were recognized as stored. */
  readonly areReplaysGone: boolean;
  readonly #pool: pg.Pool;
  readonly #run: Run;
  #client: pg.PoolClient | undefined;
  #queue: PipelineQueue | undefined;
  #answer: ImportRun | undefined;

  constructor(
    pool: pg.Pool,
    run: Run,
    { isBisecting, areReplaysGone }: Pick<Attempt, "isBisecting" | "areReplaysGone">,
  ) {
    this.#pool = pool;
    this.#run = run;
    this.isBisecting = isBisecting;
    this.areReplaysGone = areReplaysGone;
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
    const broken = await makeUsable(client, error);
    client.release(broken);
    const mayBeCommitted = !this.#run.validateOnly && (queue.isLastReached || broken !== undefined);
    return {
      isConnected: true,
      isBegun: queue.isAnswered,
      uncertain: mayBeCommitted ? this.#answer : undefined,
    };
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

import pg from "pg";
import { Pipeline, type Statement } from "./pipeline.js";

/** Collects the statements of a transaction until an answer is needed, then sends them in order in one pipeline. */
export class PipelineQueue<Client extends pg.ClientBase = pg.PoolClient> {
  readonly #client: Client;
  #waiting: Statement[] = [];
  #isAnswered = false;
  #isLastReached = false;

  constructor(client: Client) {
    this.#client = client;
  }

  add(...statements: readonly Statement[]): void {
    this.#waiting.push(...statements);
  }

  /** Adds the statements, and sends all that are waiting. */
  send(...statements: readonly Statement[]): Promise<void> {
    this.add(...statements);
    return this.flush();
  }

  /**
   * Sends the waiting statements and resolves when all have completed. Rejects with the first error; later statements are
   * not executed. `step` names the statements in traces.
   */
  async flush(step?: string): Promise<void> {
    const sent = this.#waiting;
    this.#waiting = [];
    if (sent.length === 0) return;
    const pipeline = new Pipeline(this.#client, sent, step);
    try {
      this.#client.query(pipeline);
      await pipeline.done;
      this.#isAnswered = true;
    } catch (error) {
      const isOnlyLeft = pipeline.completed >= pipeline.statements.length - 1;
      this.#isLastReached = isOnlyLeft || !(error instanceof pg.DatabaseError);
      throw error;
    }
  }

  /** Sends all that are waiting, and then does work in the same transaction that is not a statement. */
  async finishWith(work: (client: Client) => Promise<void>): Promise<void> {
    await this.flush();
    await work(this.#client);
  }

  /** Whether a pipeline has succeeded on this connection. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /**
   * Whether the last statement may have been executed although the pipeline failed. If false, this is certain only while
   * the connection still works: otherwise the error may come from a pooler that has lost the server.
   */
  get isLastReached(): boolean {
    return this.#isLastReached;
  }
}

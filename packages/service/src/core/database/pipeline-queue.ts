import pg from "pg";
import { Pipeline, type Statement } from "./pipeline.js";

/** Collects the statements of a transaction until an answer is needed, then sends them in order in one pipeline. */
export class PipelineQueue {
  readonly #client: pg.ClientBase;
  #waiting: Statement[] = [];
  #isAnswered = false;
  #isLastReached = false;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  add(...statements: readonly Statement[]): void {
    this.#waiting.push(...statements);
  }

  /** Adds these, and sends all that wait. */
  send(...statements: readonly Statement[]): Promise<void> {
    this.add(...statements);
    return this.flush();
  }

  /**
   * Returns when all that wait have their answers. Throws what the first of them failed with; none behind it is executed.
   * `step`: what they do together, for traces.
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

  /** Whether the server has done anything that it was asked for. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /**
   * Whether the last statement may have been executed, although sending it has failed. That it was not is only as
   * certain as that the error came from the server itself, and not from a pooler that has lost it: the connection must
   * still be good.
   */
  get isLastReached(): boolean {
    return this.#isLastReached;
  }
}

import pg from "pg";
import { Exchange, type Statement } from "./exchange.js";

/**
 * The statements of a transaction, in as few round trips as they need: they wait until somebody needs an answer, and then
 * go out together, in their order.
 */
export class StatementQueue {
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

  /** Returns when all that wait have their answers. Throws what the first of them failed with; none behind it is executed. */
  async send(...statements: readonly Statement[]): Promise<void> {
    const sent = [...this.#waiting, ...statements];
    this.#waiting = [];
    if (sent.length === 0) return;
    const exchange = new Exchange(this.#client, sent);
    try {
      this.#client.query(exchange);
      await exchange.done;
      this.#isAnswered = true;
    } catch (error) {
      const isOnlyLeft = exchange.completed >= exchange.statements.length - 1;
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

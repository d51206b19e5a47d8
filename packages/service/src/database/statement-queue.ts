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
  #isLastUncertain = false;

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
      const isReached = exchange.completed >= exchange.statements.length - 1;
      this.#isLastUncertain = isReached || !(error instanceof pg.DatabaseError) || error.severity !== "ERROR";
      throw error;
    }
  }

  /** Whether the server has done anything that it was asked for. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Whether the last statement may have been executed, although it was sent with a failure. */
  get isLastUncertain(): boolean {
    return this.#isLastUncertain;
  }
}

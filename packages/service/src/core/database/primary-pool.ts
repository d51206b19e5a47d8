import { callbackify } from "node:util";
import pg from "pg";
import type { Primary } from "./hosts.js";
import { databaseTrouble } from "./sqlstate.js";

/** The failed attempt, one to the primary found then, and one more in case a failover was in progress. */
const attempts = 3;

type ConnectCallback = Parameters<pg.Pool["connect"]>[0];

/**
 * A pool on the primary among several servers. If a connection fails, because the server is gone or has become a
 * standby, it is made to the new primary within the connect timeout. Without a primary it fails at once, so that
 * clients get an error instead of waiting.
 */
export class PrimaryPool extends pg.Pool {
  readonly #primary: Primary;
  readonly #timeoutMs: number;

  constructor(primary: Primary, config: pg.PoolConfig & { connectionTimeoutMillis: number }) {
    super(config);
    this.#primary = primary;
    this.#timeoutMs = config.connectionTimeoutMillis;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    const connected = this.#connectToPrimary();
    if (!callback) return connected;
    callbackify(() => connected)((error, client) =>
      callback(error ?? undefined, client, (broken) => client?.release(broken)),
    );
  }

  async #connectToPrimary(): Promise<pg.PoolClient> {
    const deadlineMs = performance.now() + this.#timeoutMs;
    if (!this.#primary.isKnown) await this.#primary.find();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await super.connect();
      } catch (error) {
        // Always search: a result that is too late for this connection helps the next.
        const isFound = databaseTrouble(error) === "unavailable" && (await this.#primary.find());
        if (!isFound || attempt === attempts || performance.now() >= deadlineMs) throw error;
      }
    }
  }
}

import { callbackify } from "node:util";
import pg from "pg";
import type { Primary } from "./hosts.js";
import { databaseTrouble } from "./sqlstate.js";

/** The one that fails, the one to the primary found then, and one more in case that it was just changing. */
const attempts = 3;

type ConnectCallback = Parameters<pg.Pool["connect"]>[0];

/**
 * A pool on the primary among several servers. A connection that cannot be made, because the server is gone or has
 * become a standby, is made to the new primary instead, within the time that connecting may take. If there is none,
 * it fails at once, so that clients are told instead of kept waiting.
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
        // Looked for in any case: what comes too late for this connection is there for the next.
        const isFound = databaseTrouble(error) === "unavailable" && (await this.#primary.find());
        if (!isFound || attempt === attempts || performance.now() >= deadlineMs) throw error;
      }
    }
  }
}

import client from "@platformatic/prom-client";
import type { ImportRun } from "@gatehouse-parking/contract";
import type { Database } from "../../core/database/pool.js";
import type { Log } from "../../core/logger.js";
import type { SecretKeySource } from "../../core/organizations/secrets.js";
import { currentKey } from "./receipt-keys.js";
import { receiptOf, signReceipt, type SigningKey } from "./signed-receipt.js";

/** After this time the key is read again in the background. */
const refreshMs = 20_000;
/** An older key is not used, so a rotation reaches all instances within this time. */
export const maxKeyAgeMs = 60_000;
/** How long an import waits for the key. Only the first import, and the first one after a quiet period, has to wait. */
const defaultMaxWaitMs = 1_000;
/** For this long after a failure, imports neither retry nor wait. */
const retryAfterMs = 5_000;

export interface ReceiptIssuerParts {
  database: Pick<Database, "gate" | "work">;
  secretKey: SecretKeySource;
  /** The public address, if it is configured. */
  issuer: string | undefined;
  log: Log;
  missingReceipts: client.Counter;
  /** A monotonic clock. */
  nowMs?: () => number;
  maxWaitMs?: number;
}

/** Signs the answers of imports. A failure is logged and counted, and the import is answered without a receipt. */
export class ReceiptIssuer {
  readonly #parts: ReceiptIssuerParts;
  readonly #nowMs: () => number;
  readonly #maxWaitMs: number;
  #known: { key: SigningKey; atMs: number } | undefined;
  #failed: { error: unknown; atMs: number } | undefined;
  #loading: Promise<void> | undefined;

  constructor(parts: ReceiptIssuerParts) {
    this.#parts = parts;
    this.#nowMs = parts.nowMs ?? (() => performance.now());
    this.#maxWaitMs = parts.maxWaitMs ?? defaultMaxWaitMs;
  }

  async issue(organizationId: string, run: ImportRun): Promise<string | undefined> {
    const { issuer, log, missingReceipts } = this.#parts;
    try {
      const key = this.#keyYoungerThan(refreshMs) ?? (await this.#refreshKey());
      return signReceipt(receiptOf({ organizationId, run, issuer }), key);
    } catch (error) {
      missingReceipts.inc();
      log.warn({ err: error, referenceUuid: run.referenceUuid }, "signing an import receipt failed");
      return undefined;
    }
  }

  #keyYoungerThan(maxAgeMs: number): SigningKey | undefined {
    const isFresh = this.#known !== undefined && this.#nowMs() - this.#known.atMs < maxAgeMs;
    return isFresh ? this.#known?.key : undefined;
  }

  /** Reads the key, and returns the known one meanwhile if it is usable. Waits only if there is none. */
  async #refreshKey(): Promise<SigningKey> {
    const isRetryTooEarly = this.#failed !== undefined && this.#nowMs() - this.#failed.atMs < retryAfterMs;
    const loading = isRetryTooEarly ? undefined : (this.#loading ??= this.#load());
    const tooSlow = new Error(`The receipt key was not read within ${this.#maxWaitMs} ms`);
    // The read continues in the background. Until it ends, later imports do not wait again.
    if (!this.#keyYoungerThan(maxKeyAgeMs) && loading && !(await endsWithin(this.#maxWaitMs, loading)))
      this.#fail(tooSlow);
    const key = this.#keyYoungerThan(maxKeyAgeMs);
    if (key) return key;
    throw this.#failed?.error ?? tooSlow;
  }

  #fail(error: unknown): void {
    this.#failed = { error, atMs: this.#nowMs() };
  }

  /** Never rejects. Its callers read #known and #failed. */
  async #load(): Promise<void> {
    const { database, secretKey } = this.#parts;
    // The time before the query, because a rotation may replace the key before the answer arrives.
    const atMs = this.#nowMs();
    try {
      this.#known = { key: await currentKey(database, secretKey), atMs };
      this.#failed = undefined;
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#loading = undefined;
    }
  }
}

async function endsWithin(timeoutMs: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const hasEnded = await Promise.race([work.then(() => true), timeout]);
  clearTimeout(timer);
  return hasEnded;
}

export function missingReceiptsCounter(registry: client.Registry): client.Counter {
  return new client.Counter({
    name: "gatehouse_receipts_missing_total",
    help: "Imports answered without a receipt although receipts are on, because none could be signed",
    registers: [registry],
  });
}

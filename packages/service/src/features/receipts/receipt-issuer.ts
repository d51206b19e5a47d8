import type { ImportRun } from "@gatehouse-parking/contract";
import type { Database } from "../../core/database/pool.js";
import type { Log } from "../../core/logger.js";
import type { SecretKeySource } from "../../core/organizations/secrets.js";
import { currentKey } from "./receipt-keys.js";
import { receiptOf, signReceipt, type SigningKey } from "./signed-receipt.js";
import client from "@platformatic/prom-client";

/** A key is looked up again after this, beside the imports that go on with the one that is known. */
const refreshMs = 20_000;
/** No key is used for longer than this without having been looked up: so soon a rotation has reached all instances. */
export const maxKeyAgeMs = 60_000;
/** How long an import waits for a key: the first one, and the first one after a quiet time. */
const defaultPatienceMs = 1_000;
/** After a failure the next import tries again no sooner than this; those before it do not wait. */
const againMs = 5_000;

export interface ReceiptIssuerParts {
  database: Pick<Database, "gate" | "work">;
  secretKey: SecretKeySource;
  /** The public address, if it is known. */
  issuer: string | undefined;
  log: Log;
  metrics: ReceiptMetrics;
  /** A clock in milliseconds that never goes back. */
  nowMs?: () => number;
  patienceMs?: number;
}

/** Signs what imports answer. What goes wrong here is logged and counted; the import is answered all the same, without a receipt. */
export class ReceiptIssuer {
  readonly #parts: ReceiptIssuerParts;
  readonly #nowMs: () => number;
  readonly #patienceMs: number;
  #known: { key: SigningKey; atMs: number } | undefined;
  #failed: { error: unknown; atMs: number } | undefined;
  #loading: Promise<void> | undefined;

  constructor(parts: ReceiptIssuerParts) {
    this.#parts = parts;
    this.#nowMs = parts.nowMs ?? (() => performance.now());
    this.#patienceMs = parts.patienceMs ?? defaultPatienceMs;
  }

  async issue(organizationId: string, run: ImportRun): Promise<string | undefined> {
    const { issuer, log, metrics } = this.#parts;
    try {
      const key = this.#fresh(refreshMs) ?? (await this.#refreshed());
      return signReceipt(receiptOf({ organizationId, run, issuer }), key);
    } catch (error) {
      metrics.recordMissingReceipt();
      log.warn({ err: error, referenceUuid: run.referenceUuid }, "an import has no receipt");
      return undefined;
    }
  }

  #fresh(maxAgeMs: number): SigningKey | undefined {
    const isFresh = this.#known !== undefined && this.#nowMs() - this.#known.atMs < maxAgeMs;
    return isFresh ? this.#known?.key : undefined;
  }

  /** A key that is young enough to be used; otherwise the one that is found now, if that does not take long. */
  async #refreshed(): Promise<SigningKey> {
    const isTooSoon = this.#failed !== undefined && this.#nowMs() - this.#failed.atMs < againMs;
    const loading = isTooSoon ? undefined : (this.#loading ??= this.#load());
    const tooSlow = new Error(`The key of receipts was not found within ${this.#patienceMs} ms`);
    // It may still be found; until then the next imports do not wait as long again.
    if (!this.#fresh(maxKeyAgeMs) && loading && !(await endsWithin(this.#patienceMs, loading)))
      this.#fail(tooSlow);
    const key = this.#fresh(maxKeyAgeMs);
    if (key) return key;
    throw this.#failed?.error ?? tooSlow;
  }

  #fail(error: unknown): void {
    this.#failed = { error, atMs: this.#nowMs() };
  }

  /** Never rejects: whoever waits for it looks at what it has found. */
  async #load(): Promise<void> {
    const { database, secretKey } = this.#parts;
    // From when it was asked for: what is found may have been replaced while the answer was on its way.
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

/** Whether it ended; if not, it goes on. */
async function endsWithin(patienceMs: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  const hasEnded = await Promise.race([work.then(() => true), patience]);
  clearTimeout(timer);
  return hasEnded;
}

export interface ReceiptMetrics {
  /** An import was answered without the receipt that it should have had. */
  recordMissingReceipt(): void;
}

export function receiptMetrics(registry: client.Registry): ReceiptMetrics {
  const missing = new client.Counter({
    name: "gatehouse_receipts_missing_total",
    help: "Imports answered without a receipt although receipts are on, because none could be signed",
    registers: [registry],
  });
  return { recordMissingReceipt: () => missing.inc() };
}

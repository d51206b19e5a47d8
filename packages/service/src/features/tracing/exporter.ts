import type { FastifyBaseLogger } from "fastify";
import type { RecordedSpan } from "./span.js";

/**
 * Sends finished spans to the collector, in the background. Whatever becomes of the collector, nobody waits for it: what
 * it does not take in time waits in a bounded queue, and what has no room there is lost and counted.
 */
export interface ExporterOptions {
  /** The full address, /v1/traces included. */
  url: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  encode(spans: readonly RecordedSpan[]): string;
  log: FastifyBaseLogger;
}

const maxQueuedSpans = 2_048;
const maxSpansPerRequest = 512;
const intervalMs = 5_000;
const maxPauseMs = 60_000;
/** A collector that stays away is mentioned this often. */
const reportIntervalMs = 60_000;
/** With these, OTLP says, the same request may succeed later. */
const passingStatuses = new Set([429, 502, 503, 504]);

export class Exporter {
  readonly #options: ExporterOptions;
  readonly #waiting: RecordedSpan[] = [];
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isClosing = false;
  /** How long to wait after a failure; 0: the last request succeeded. */
  #pauseMs = 0;
  #lost = 0;
  #reportedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  add(span: RecordedSpan): void {
    if (this.#waiting.length >= maxQueuedSpans) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(span);
    const isFull = this.#waiting.length === maxSpansPerRequest && this.#pauseMs === 0;
    this.#schedule(isFull ? 0 : intervalMs);
  }

  /** Sends what is left, and ends within this time in any case. */
  async close(limitMs: number): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    const limit = setTimeout(() => this.#end.abort(), limitMs);
    await this.#sending;
    await this.#send();
    clearTimeout(limit);
    this.#lost += this.#waiting.length;
    if (this.#lost > 0) this.#options.log.warn({ lost: this.#lost }, "spans were not delivered");
  }

  /** The next sending; one that is due sooner replaces one that is due later. */
  #schedule(delayMs: number): void {
    if (this.#sending || this.#isClosing || (this.#timer && delayMs > 0)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#sending = this.#send().finally(() => {
        this.#sending = undefined;
        if (this.#waiting.length > 0) this.#schedule(this.#pauseMs || intervalMs);
      });
    }, delayMs);
    this.#timer.unref();
  }

  /** Full requests first; the rest of it when its time comes, or at the end. */
  async #send(): Promise<void> {
    do {
      const spans = this.#waiting.splice(0, maxSpansPerRequest);
      if (spans.length === 0 || !(await this.#deliver(spans))) return;
    } while (this.#waiting.length >= maxSpansPerRequest || this.#isClosing);
  }

  /** False: the collector is to be left alone for a while. */
  async #deliver(spans: RecordedSpan[]): Promise<boolean> {
    const { url, headers, timeoutMs, encode } = this.#options;
    // Node 20 forgets a timeout that only AbortSignal.any refers to when it collects garbage; the catch block refers to it.
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: encode(spans),
        // Another address must not get the headers, which hold secrets.
        redirect: "error",
        signal: AbortSignal.any([timeout, this.#end.signal]),
      });
      await response.body?.cancel();
      if (response.ok) {
        this.#noteSuccess();
        return true;
      }
      this.#noteFailure(`the collector answered ${response.status}`);
      if (passingStatuses.has(response.status)) this.#putBack(spans);
      else this.#lost += spans.length;
    } catch (error) {
      const isLate = timeout.aborted && !this.#end.signal.aborted;
      this.#noteFailure(isLate ? `the collector did not answer within ${timeoutMs} ms` : reasonOf(error));
      this.#putBack(spans);
    }
    return false;
  }

  #putBack(spans: RecordedSpan[]): void {
    const room = Math.max(0, maxQueuedSpans - this.#waiting.length);
    this.#waiting.unshift(...spans.slice(0, room));
    this.#lost += Math.max(0, spans.length - room);
  }

  #noteSuccess(): void {
    if (this.#pauseMs > 0) this.#options.log.info({ lost: this.#lost }, "traces are delivered again");
    this.#pauseMs = 0;
    this.#lost = 0;
    this.#reportedAtMs = Number.NEGATIVE_INFINITY;
  }

  #noteFailure(reason: string): void {
    this.#pauseMs = Math.min(maxPauseMs, this.#pauseMs === 0 ? intervalMs : this.#pauseMs * 2);
    if (performance.now() - this.#reportedAtMs < reportIntervalMs) return;
    this.#reportedAtMs = performance.now();
    const { origin, pathname } = new URL(this.#options.url);
    this.#options.log.warn(
      { collector: origin + pathname, reason, lost: this.#lost },
      "traces cannot be delivered; requests are answered all the same",
    );
  }
}

/** fetch puts the reason into the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace";
import type { FastifyBaseLogger } from "fastify";

export interface DeliveryOptions {
  exporter: SpanExporter;
  url: string;
  /** The exporter retries within this time. */
  timeoutMs: number;
  log: FastifyBaseLogger;
}

const maxWaitingSpans = 2_048;
/** An unreachable collector is logged this often. */
const reportIntervalMs = 60_000;
/** The exporter's timeout does not end a slow response body. */
const graceMs = 1_000;

/**
 * Sends finished spans to the collector in the background, in the SDK's batches. The SDK limits its queue but
 * not the spans that it is sending, and does not report lost spans. This class limits both together, and
 * counts and logs lost spans.
 */
export class Delivery implements SpanProcessor {
  readonly #options: DeliveryOptions;
  readonly #batches: BatchSpanProcessor;
  #waiting = 0;
  #lost = 0;
  #isInTrouble = false;
  #reportedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#batches = new BatchSpanProcessor({
      exporter: {
        export: (spans, done) => this.#export(spans, done),
        shutdown: () => options.exporter.shutdown(),
      },
      maxQueueSize: maxWaitingSpans,
      // Never reached, because #export ends before.
      exportTimeoutMillis: options.timeoutMs + 2 * graceMs,
    });
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#waiting >= maxWaitingSpans) {
      this.#lost += 1;
      this.reportTrouble(`${maxWaitingSpans} spans are waiting`);
      return;
    }
    this.#waiting += 1;
    this.#batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#batches.shutdown();
  }

  /** Sends the remaining spans within this time. */
  async close(limitMs: number): Promise<void> {
    let limit: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (limit = setTimeout(resolve, limitMs)));
    await Promise.race([this.shutdown(), timeout]);
    clearTimeout(limit);
    const lost = this.#lost + this.#waiting;
    if (lost > 0) this.#options.log.warn({ lost }, "spans were not delivered");
  }

  /** Logs at most once a minute. */
  reportTrouble(reason: string): void {
    if (performance.now() - this.#reportedAtMs < reportIntervalMs) return;
    this.#reportedAtMs = performance.now();
    this.#isInTrouble = true;
    const { origin, pathname } = new URL(this.#options.url);
    this.#options.log.warn(
      { collector: origin + pathname, reason, lost: this.#lost },
      "trace delivery failed; requests are not affected",
    );
  }

  #export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    const { exporter, timeoutMs } = this.#options;
    let isOver = false;
    const end = (error: Error | undefined): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(limit);
      this.#waiting -= spans.length;
      if (error) this.#noteFailure(spans.length, error);
      else this.#noteSuccess();
      // The SDK would log the same failure again.
      done({ code: ExportResultCode.SUCCESS });
    };
    const limit = setTimeout(
      () => end(new Error(`the collector did not answer within ${timeoutMs} ms`)),
      timeoutMs + graceMs,
    ).unref();
    exporter.export(spans, ({ code, error = new Error("unknown") }) =>
      end(code === ExportResultCode.SUCCESS ? undefined : error),
    );
  }

  #noteSuccess(): void {
    if (this.#isInTrouble) this.#options.log.info({ lost: this.#lost }, "trace delivery recovered");
    this.#isInTrouble = false;
    this.#lost = 0;
  }

  #noteFailure(count: number, error: Error): void {
    this.#lost += count;
    this.reportTrouble(reasonOf(error));
  }
}

/**
 * The exporter's errors have the HTTP status as their code. Their data is the collector's response, which is
 * not logged.
 */
function reasonOf(error: Error): string {
  const { code, message } = error as Error & { code?: number | string };
  if (typeof code === "number") return `the collector answered ${code}`;
  return message === "" ? String(code) : message;
}

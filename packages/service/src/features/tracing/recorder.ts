import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { unrecorded, type Attributes, type OpenSpan, type Tracer } from "../../core/telemetry/tracer.js";
import type { TraceParent } from "../../core/telemetry/trace-parent.js";
import type { Sampler } from "./sampler.js";
import { newTraceId, RecordedSpan, spanKind, type SpanStart } from "./span.js";

/**
 * Knows which span is open where, through every await. A trace begins with a request; work outside of one, and in one
 * that the sampler left out, is done without being recorded.
 */
export class Recorder implements Tracer {
  readonly #open = new AsyncLocalStorage<RecordedSpan>();
  readonly #sampler: Sampler;
  readonly #onEnd: (span: RecordedSpan) => void;

  constructor(sampler: Sampler, onEnd: (span: RecordedSpan) => void) {
    this.#sampler = sampler;
    this.#onEnd = onEnd;
  }

  /** The first span of a request here; undefined if the sampler leaves it out. */
  begin(name: string, attributes: Attributes, parent: TraceParent | undefined): RecordedSpan | undefined {
    const traceId = parent?.traceId ?? newTraceId();
    if (!this.#sampler(traceId, parent)) return undefined;
    return this.#start({
      traceId,
      parentSpanId: parent?.spanId,
      hasRemoteParent: parent !== undefined,
      name,
      kind: spanKind.server,
      attributes,
      clockOffsetMs: Date.now() - performance.now(),
    });
  }

  /** Below the span that is open here. One that has ended gets no more: whoever goes on in its name serves others. */
  below(name: string, kind: SpanStart["kind"], attributes: Attributes): RecordedSpan | undefined {
    const parent = this.#open.getStore();
    if (!parent?.isOpen) return undefined;
    const { traceId, clockOffsetMs } = parent.start;
    return this.#start({
      traceId,
      parentSpanId: parent.spanId,
      hasRemoteParent: false,
      name,
      kind,
      attributes,
      clockOffsetMs,
    });
  }

  within<T>(span: RecordedSpan, work: () => T): T {
    return this.#open.run(span, work);
  }

  async span<T>(name: string, attributes: Attributes, work: (span: OpenSpan) => Promise<T>): Promise<T> {
    const span = this.below(name, spanKind.internal, attributes);
    if (!span) return work(unrecorded);
    try {
      const result = await this.within(span, () => work(span));
      span.end();
      return result;
    } catch (error) {
      span.endWith(error);
      throw error;
    }
  }

  bind<Values extends unknown[], Result>(work: (...values: Values) => Result): (...values: Values) => Result {
    return AsyncResource.bind(work);
  }

  #start(start: SpanStart): RecordedSpan {
    return new RecordedSpan(start, this.#onEnd);
  }
}

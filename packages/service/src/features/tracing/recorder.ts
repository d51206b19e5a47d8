import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer as SdkTracer,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { Refused } from "../../core/refusals/refused.js";
import {
  noAttributes,
  unrecorded,
  type Attributes,
  type OpenSpan,
  type Tracer,
} from "../../core/telemetry/tracer.js";

const propagator = new W3CTraceContextPropagator();

/** Tracks the open span of each asynchronous context. Only sampled requests and the work below them are recorded. */
export class Recorder implements Tracer {
  readonly #open = new AsyncLocalStorage<RecordedSpan>();
  readonly #tracer: SdkTracer;

  constructor(tracer: SdkTracer) {
    this.#tracer = tracer;
  }

  /** The span of a request, which continues the caller's trace. Undefined if the sampler skips it. */
  begin(name: string, attributes: Attributes, headers: IncomingHttpHeaders): RecordedSpan | undefined {
    const caller = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    const clockOffsetMs = Date.now() - performance.now();
    return this.#start(caller, clockOffsetMs, name, SpanKind.SERVER, attributes);
  }

  /** A child of the open span. Undefined if that span has ended, because the work then serves other requests. */
  below(name: string, kind: SpanKind, attributes: Attributes): RecordedSpan | undefined {
    const parent = this.#open.getStore();
    if (!parent?.isOpen) return undefined;
    return this.#start(parent.context, parent.clockOffsetMs, name, kind, attributes);
  }

  within<T>(span: RecordedSpan, work: () => T): T {
    return this.#open.run(span, work);
  }

  async span<T>(name: string, attributes: Attributes, work: (span: OpenSpan) => Promise<T>): Promise<T> {
    const span = this.below(name, SpanKind.INTERNAL, attributes);
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

  step<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.span(name, noAttributes, work);
  }

  bind<Values extends unknown[], Result>(work: (...values: Values) => Result): (...values: Values) => Result {
    return AsyncResource.bind(work);
  }

  #start(
    parent: Context,
    clockOffsetMs: number,
    name: string,
    kind: SpanKind,
    attributes: Attributes,
  ): RecordedSpan | undefined {
    const startTime = clockOffsetMs + performance.now();
    const span = this.#tracer.startSpan(name, { kind, attributes, startTime }, parent);
    return span.isRecording() ? new RecordedSpan(span, parent, clockOffsetMs) : undefined;
  }
}

export class RecordedSpan implements OpenSpan {
  readonly context: Context;
  /**
   * Added to the monotonic clock, this gives the time of day, and it is the same for a whole trace. The SDK
   * starts spans at whole milliseconds, which is too coarse for the steps of an import.
   */
  readonly clockOffsetMs: number;
  readonly #span: Span;

  constructor(span: Span, parent: Context, clockOffsetMs: number) {
    this.#span = span;
    this.context = trace.setSpan(parent, span);
    this.clockOffsetMs = clockOffsetMs;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get isOpen(): boolean {
    return this.#span.isRecording();
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  /** Only the first call has an effect. */
  end(): void {
    if (this.isOpen) this.#span.end(this.clockOffsetMs + performance.now());
  }

  /** Keeps only the kind of an error, because messages can quote data. A rejected request is not a failure. */
  endWith(error: unknown): void {
    if (error instanceof Refused) this.set({ "gatehouse.refusal": error.refusal });
    else this.fail(kindOfError(error));
    this.end();
  }

  fail(kind: string): void {
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.set({ "error.type": kind });
  }
}

/** An SQLSTATE, an errno code or the class name. */
function kindOfError(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? code : error.name;
}

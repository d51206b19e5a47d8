import type { FastifyInstance } from "fastify";
import type pg from "pg";

/**
 * The tracing interface for the rest of the service. Without a collector, `noTracer` only runs the work, and the
 * modules that record and send spans are not loaded.
 */
export interface Tracer {
  /** Runs the work as a child span of the current span. Attributes never contain record data or personal data. */
  span<T>(name: string, attributes: Attributes, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  /** Like `span`, without attributes. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Binds the function to the current trace. */
  bind<Values extends unknown[], Result>(work: (...values: Values) => Result): (...values: Values) => Result;
}

export interface OpenSpan {
  /** For attributes that are known only after the work. */
  set(attributes: Attributes): void;
}

/** Records spans if a collector is configured. */
export interface Tracing {
  readonly tracer: Tracer;
  observeRequests(app: FastifyInstance): void;
  observeStatements(pool: pg.Pool): void;
  /** Sends the remaining spans within the time limit. */
  close(): Promise<void>;
}

/** OpenTelemetry names where they exist, otherwise names beginning with "gatehouse". Undefined values are omitted. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export const noAttributes: Attributes = Object.freeze({});

export const unrecorded: OpenSpan = { set: () => undefined };

export const noTracer: Tracer = {
  span: (_name, _attributes, work) => work(unrecorded),
  step: (_name, work) => work(),
  bind: (work) => work,
};

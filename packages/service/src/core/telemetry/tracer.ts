import type { FastifyInstance } from "fastify";
import type pg from "pg";

/**
 * What the rest of the service knows of tracing: that some of its work has a name. Without a collector nothing more is
 * there: `noTracer` calls the work, and the modules that record and send are not even loaded.
 */
export interface Tracer {
  /** Does the work as a span below the one that is open here. Attributes never hold data of records or people. */
  span<T>(name: string, attributes: Attributes, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  /** The same for a step of the work that has no attributes. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** The same function, which belongs to the present trace wherever it is called from. */
  bind<Values extends unknown[], Result>(work: (...values: Values) => Result): (...values: Values) => Result;
}

export interface OpenSpan {
  /** For what is known only when the work is done. */
  set(attributes: Attributes): void;
}

/** What records spans, while a collector is configured. */
export interface Tracing {
  readonly tracer: Tracer;
  observeRequests(app: FastifyInstance): void;
  observeStatements(pool: pg.Pool): void;
  /** Delivers the remaining spans, as far as the time allows. */
  close(): Promise<void>;
}

/** By the names of OpenTelemetry where it has one, otherwise beginning with "gatehouse". Undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export const noAttributes: Attributes = Object.freeze({});

export const unrecorded: OpenSpan = { set: () => undefined };

export const noTracer: Tracer = {
  span: (_name, _attributes, work) => work(unrecorded),
  step: (_name, work) => work(),
  bind: (work) => work,
};

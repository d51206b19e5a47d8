import { randomBytes } from "node:crypto";
import { Refused } from "../../core/refusals/refused.js";
import type { Attributes, OpenSpan } from "../../core/telemetry/tracer.js";

/** The numbers of OTLP. */
export const spanKind = { internal: 1, server: 2, client: 3 } as const;

export interface SpanStart {
  traceId: string;
  parentSpanId: string | undefined;
  /** Whether the parent is in another process. */
  hasRemoteParent: boolean;
  name: string;
  kind: (typeof spanKind)[keyof typeof spanKind];
  attributes: Attributes;
  /** What has to be added to the monotonic clock to get the time of day, the same for a whole trace. */
  clockOffsetMs: number;
}

/** One piece of work, from its beginning to its end. */
export class RecordedSpan implements OpenSpan {
  readonly start: SpanStart;
  readonly spanId = newSpanId();
  readonly startedMs = performance.now();
  attributes: Attributes;
  endedMs: number | undefined;
  hasFailed = false;
  readonly #onEnd: (span: RecordedSpan) => void;

  constructor(start: SpanStart, onEnd: (span: RecordedSpan) => void) {
    this.start = start;
    this.attributes = start.attributes;
    this.#onEnd = onEnd;
  }

  set(attributes: Attributes): void {
    this.attributes = { ...this.attributes, ...attributes };
  }

  get isOpen(): boolean {
    return this.endedMs === undefined;
  }

  /** Only the first time counts. */
  end(): void {
    if (!this.isOpen) return;
    this.endedMs = performance.now();
    this.#onEnd(this);
  }

  /** Keeps only the kind of an error: messages can quote data. A refusal is an answer, not a failure. */
  endWith(error: unknown): void {
    const refusal = refusalOf(error);
    if (refusal === undefined) this.fail(kindOfError(error));
    else this.set({ "gatehouse.refusal": refusal });
    this.end();
  }

  fail(kind: string): void {
    this.hasFailed = true;
    this.set({ "error.type": kind });
  }
}

export function newTraceId(): string {
  return randomBytes(16).toString("hex");
}

function newSpanId(): string {
  return randomBytes(8).toString("hex");
}

function refusalOf(error: unknown): string | undefined {
  return error instanceof Refused ? error.refusal : undefined;
}

/** An SQLSTATE, a code of the system, or the name of the class. */
function kindOfError(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? code : error.name;
}

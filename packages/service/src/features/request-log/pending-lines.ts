import type { Answer, AnsweredRequest } from "../../core/gate/answered-request.js";
import type { RequestLine, RequestObserver } from "../../core/gate/key-usage.js";
import { uuidv7 } from "../../core/uuidv7.js";

/** A line of the request log, as the statement that writes it reads it. */
interface PendingLine extends RequestLine {
  id: string;
  status: number | null;
  reason: string | null;
  run_id: string | null;
  body_bytes: number | null;
  duration_ms: number | null;
  request_id: string;
  answer: Answer | null;
}

/** About 6 MB. */
export const maxPendingLines = 20_000;
export const maxLinesPerStatement = 1_000;
/**
 * Lines with the same rejection of one key between two ticks. Rate limits bound accepted requests, but not rejected ones, which
 * could displace all other requests from the log.
 */
export const maxEqualRefusals = 20;

/** Buffers lines of the request log until the next statement writes them. */
export class PendingLines implements RequestObserver {
  #lines: PendingLine[] = [];
  readonly #refusals = new Map<string, number>();

  insert(lines: string): string {
    return `
      insert into request_log (
        organization_id, id, api_key_id, operation, status, reason, run_id, body_bytes, duration_ms, request_id, answer
      )
      select organization_id, id, api_key_id, operation, status, reason, run_id, body_bytes, duration_ms, request_id, answer
      from json_to_recordset(${lines}) as line (
        organization_id uuid, id uuid, api_key_id uuid, operation text, status smallint, reason text, run_id uuid,
        body_bytes bigint, duration_ms real, request_id text, answer json
      )
      -- A statement is repeated if its answer was lost.
      on conflict do nothing`;
  }

  /** Returns false if the buffer is full. */
  add(request: AnsweredRequest): boolean {
    if (this.#lines.length >= maxPendingLines) return false;
    if (request.reason !== null) {
      const refusal = `${request.apiKeyId} ${request.operation} ${request.reason}`;
      const count = (this.#refusals.get(refusal) ?? 0) + 1;
      if (count > maxEqualRefusals) return false;
      this.#refusals.set(refusal, count);
    }
    this.#lines.push({
      organization_id: request.organizationId,
      id: uuidv7(),
      api_key_id: request.apiKeyId,
      operation: request.operation,
      status: request.status,
      reason: request.reason,
      run_id: request.runId,
      body_bytes: request.bodyBytes,
      duration_ms: request.durationMs,
      request_id: request.requestId,
      answer: request.answer,
    });
    return true;
  }

  /** Returns the number of lines to write and resets the counts of equal rejections. */
  beginTick(): number {
    this.#refusals.clear();
    return this.#lines.length;
  }

  /** Takes the oldest lines for one statement. */
  take(count: number): PendingLine[] {
    return this.#lines.splice(0, Math.min(count, maxLinesPerStatement));
  }

  /** Puts unwritten lines back at the front of the buffer, and returns those that do not fit. */
  putBack(lines: readonly PendingLine[]): PendingLine[] {
    const room = Math.max(0, maxPendingLines - this.#lines.length);
    this.#lines = [...lines.slice(0, room), ...this.#lines];
    return lines.slice(room);
  }
}

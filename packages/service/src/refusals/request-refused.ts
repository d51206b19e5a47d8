import { errors, type ErrorName, type ProblemDetails } from "@gatehouse-parking/contract";
import { databaseTrouble, isPoolExhausted } from "../database/sqlstate.js";

/** A refusal of the whole request, by its row in the contract's table of errors. */
export class RequestRefused extends Error {
  readonly refusal: ErrorName;
  /** The lines of the envelope's `errors`; the message itself if there are none. */
  readonly details: string[];
  /** Replaces the envelope where the interface has another shape. */
  readonly body: { contentType: string; value: unknown } | undefined;
  readonly headers: Record<string, string>;

  constructor(
    refusal: ErrorName,
    options: {
      details?: string[];
      json?: unknown;
      problem?: ProblemDetails;
      headers?: Record<string, string>;
    } = {},
  ) {
    super(errors[refusal].message);
    this.name = "RequestRefused";
    this.refusal = refusal;
    this.details = options.details ?? [errors[refusal].message];
    this.headers = options.headers ?? {};
    this.body =
      options.problem !== undefined
        ? { contentType: "application/problem+json; charset=utf-8", value: options.problem }
        : options.json !== undefined
          ? { contentType: "application/json; charset=utf-8", value: options.json }
          : undefined;
  }
}

/** What passes by itself, so that whoever asks again may succeed; undefined: the error is of another kind. */
export function databaseRefusal(error: unknown): RequestRefused | undefined {
  // Work that collided with other work was undone.
  if (isPoolExhausted(error) || databaseTrouble(error) === "conflict")
    return new RequestRefused("overloaded");
  return databaseTrouble(error) === "unavailable" ? new RequestRefused("databaseUnavailable") : undefined;
}

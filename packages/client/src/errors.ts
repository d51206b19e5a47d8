import type { ErrorName, ImportRun } from "@gatehouse-parking/contract";

/** A request that did not succeed. The subclass tells the status; the message tells what the service said. */
export class GatehouseError extends Error {
  override name = "GatehouseError";
  /** The status of the answer; undefined if there was none. */
  readonly status: number | undefined;
  /** Names the answer in the service's log. */
  readonly requestId: string | undefined;
  /** The name of the error (X-Error): one of `errorStatuses`, or one that a later service adds; undefined without any. */
  readonly errorName: ErrorName | (string & {}) | undefined;
  /** Every violation the service named. */
  readonly details: readonly string[];

  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.errorName = facts.errorName;
    this.details = facts.details ?? [];
  }
}

export interface ErrorFacts {
  status?: number;
  requestId?: string | undefined;
  errorName?: string | undefined;
  details?: readonly string[];
  cause?: unknown;
}

/** No answer: the connection could not be made, broke, or took too long. Whether the request arrived is not known. */
export class ConnectionError extends GatehouseError {
  override name = "ConnectionError";
}

/** The way to the service is set up wrongly, so that it does not help to try again. Nothing was sent. */
export class SetupError extends ConnectionError {
  override name = "SetupError";
}

/** The service's certificate is not trusted. */
export class CertificateError extends SetupError {
  override name = "CertificateError";
  /** What the runtime calls it, such as CERT_HAS_EXPIRED. */
  readonly code: string;

  constructor(message: string, facts: ErrorFacts & { code: string }) {
    super(message, facts);
    this.code = facts.code;
  }
}

/** An https:// address led to a server that speaks plain HTTP. */
export class PlainServerError extends SetupError {
  override name = "PlainServerError";
}

/** 400: the request as a whole is not valid; `details` lists what is wrong. */
export class InvalidRequestError extends GatehouseError {
  override name = "InvalidRequestError";
  declare readonly status: 400;
}

/** 401: the key is missing or not valid. */
export class UnauthorizedError extends GatehouseError {
  override name = "UnauthorizedError";
  declare readonly status: 401;
}

/** 403: the key lacks the permission, or is refused by lead submission, or the request came over plain HTTP. */
export class ForbiddenError extends GatehouseError {
  override name = "ForbiddenError";
  declare readonly status: 403;
}

/** 404: there is no such thing in the organization. */
export class NotFoundError extends GatehouseError {
  override name = "NotFoundError";
  declare readonly status: 404;
}

/** 413: too many records, or too many bytes (then the numbers are missing). Nothing was processed. */
export class TooLargeError extends GatehouseError {
  override name = "TooLargeError";
  declare readonly status: 413;
  readonly submitted: number | undefined;
  readonly max: number | undefined;

  constructor(message: string, facts: ErrorFacts & { submitted?: number; max?: number }) {
    super(message, facts);
    this.submitted = facts.submitted;
    this.max = facts.max;
  }
}

/** 422: the Idempotency-Key was used with another lead. */
export class IdempotencyConflictError extends GatehouseError {
  override name = "IdempotencyConflictError";
  declare readonly status: 422;
}

/** 429: the rate limit is used up. Nothing was processed. */
export class RateLimitedError extends GatehouseError {
  override name = "RateLimitedError";
  declare readonly status: 429;
  readonly retryAfterSeconds: number;

  constructor(message: string, facts: ErrorFacts & { retryAfterSeconds: number }) {
    super(message, facts);
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/**
 * 5xx: the service is in trouble. An import that answers 500 names its run, and each of its records says whether nothing
 * was stored or nobody knows; in both cases it can be sent again. One that answers 503 was not begun.
 */
export class ServerError extends GatehouseError {
  override name = "ServerError";
  declare readonly status: number;
  /** With the receipt of the answer, if it came with one. */
  readonly run: (ImportRun & { receipt?: string }) | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    facts: ErrorFacts & { run?: ImportRun & { receipt?: string }; retryAfterSeconds?: number },
  ) {
    super(message, facts);
    this.run = facts.run;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

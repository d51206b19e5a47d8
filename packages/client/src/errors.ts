import type { ErrorName, ImportRun } from "@gatehouse-parking/contract";

/** A request failed. The subclass identifies the status; the message is the service's. */
export class GatehouseError extends Error {
  override name = "GatehouseError";
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** Identifies the response in the service's log. */
  readonly requestId: string | undefined;
  /** The error name (X-Error): one of `errorStatuses`, or a name added by a later release. */
  readonly errorName: ErrorName | (string & {}) | undefined;
  /** All violations that the service reported. */
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

/**
 * No response: the connection could not be made, broke or timed out. It is unknown whether the request
 * arrived.
 */
export class ConnectionError extends GatehouseError {
  override name = "ConnectionError";
}

/** The connection is misconfigured, so retrying does not help. Nothing was sent. */
export class SetupError extends ConnectionError {
  override name = "SetupError";
}

/** The service's certificate is not trusted. */
export class CertificateError extends SetupError {
  override name = "CertificateError";
  /** The runtime's error code, such as CERT_HAS_EXPIRED. */
  readonly code: string;

  constructor(message: string, facts: ErrorFacts & { code: string }) {
    super(message, facts);
    this.code = facts.code;
  }
}

/** The address begins with https://, but the server speaks plain HTTP. */
export class PlainServerError extends SetupError {
  override name = "PlainServerError";
}

/** 400: the whole request is invalid; `details` lists the problems. */
export class InvalidRequestError extends GatehouseError {
  override name = "InvalidRequestError";
  declare readonly status: 400;
}

/** 401: the key is missing or invalid. */
export class UnauthorizedError extends GatehouseError {
  override name = "UnauthorizedError";
  declare readonly status: 401;
}

/** 403: the key lacks the permission, lead submission rejected the key, or the request used plain HTTP. */
export class ForbiddenError extends GatehouseError {
  override name = "ForbiddenError";
  declare readonly status: 403;
}

/** 404: not found in the organization. */
export class NotFoundError extends GatehouseError {
  override name = "NotFoundError";
  declare readonly status: 404;
}

/** 409: the state of an upload does not allow the request; `details` says why. */
export class ConflictError extends GatehouseError {
  override name = "ConflictError";
  declare readonly status: 409;
}

/** 413: too many records, or too many bytes (without numbers). Nothing was processed. */
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

/** 422: the Idempotency-Key was already used for a different lead. */
export class IdempotencyConflictError extends GatehouseError {
  override name = "IdempotencyConflictError";
  declare readonly status: 422;
}

/** 429: the rate limit is exceeded. Nothing was processed. */
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
 * 5xx: the service failed. The 500 of an import names the import, and each record says whether nothing was
 * stored or the outcome is unknown; resending is safe in both cases. After a 503, the import was not started.
 */
export class ServerError extends GatehouseError {
  override name = "ServerError";
  declare readonly status: number;
  /** Includes the receipt if the response had one. */
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

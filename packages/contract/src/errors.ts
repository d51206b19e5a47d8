/**
 * Every error of a whole request, in one table that the error reference and the responses share. Single records fail
 * with reason codes (reason-codes.ts).
 */
export interface ErrorDescription {
  status: number;
  message: string;
  /** What the caller can do about it. */
  advice: string;
}

/** The header with the error's name, so that programs need not parse messages. */
export const errorHeader = "X-Error";

export const errors = {
  httpsRequired: {
    status: 403,
    message: "HTTPS is required",
    advice:
      "Send the request to the https:// address. Keys that were sent over plain HTTP should be rotated.",
  },
  loopbackOnly: {
    status: 403,
    message: "The plain HTTP port serves this page to the local machine only",
    advice: "Use the https:// address.",
  },
  keyMissing: {
    status: 401,
    message: "The X-API-KEY header is missing",
    advice: "Send the API key in the X-API-KEY header.",
  },
  keyInvalid: {
    status: 401,
    message: "The API key is not valid",
    advice: "Check that the key was copied whole and has neither expired nor been revoked.",
  },
  keyRefused: {
    status: 403,
    message: "The API key is missing or not valid",
    advice: "Lead submission answers 403 for a missing, invalid, expired or revoked key. Check the key.",
  },
  permissionMissing: {
    status: 403,
    message: "The API key lacks the permission for this operation",
    advice: "Create a key with the permission named in the answer.",
  },
  originRefused: {
    status: 403,
    message: "This origin may not submit leads with this key",
    advice: "Add the page's origin to the lead origins of the key or of the organization.",
  },
  quotaExceeded: {
    status: 403,
    message: "A quota of the organization is used up",
    advice:
      "errors names the quota and its limit. Nothing was stored. Send it again after data was deleted or the operator raised the quota. Records that are already stored can always be resent.",
  },
  notFound: {
    status: 404,
    message: "There is nothing at this address",
    advice: "Check the path and the identifier in it. A run of another organization is treated as not found.",
  },
  methodNotAllowed: {
    status: 405,
    message: "The method is not allowed here",
    advice: "The Allow header lists the methods of this path.",
  },
  requestTimeout: {
    status: 408,
    message: "The request was not received in time",
    advice: "Send the whole request without long pauses.",
  },
  requestMalformed: {
    status: 400,
    message: "The request is not valid HTTP",
    advice: "Check the request line and the headers. The connection is closed.",
  },
  expectationFailed: {
    status: 417,
    message: "The Expect header cannot be met",
    advice: "Send no Expect header, or Expect: 100-continue. The connection is closed.",
  },
  transferCodingUnknown: {
    status: 501,
    message: "The transfer coding is not supported",
    advice:
      "Send the body with a Content-Length, or with Transfer-Encoding: chunked alone. The connection is closed.",
  },
  headersTooLarge: {
    status: 431,
    message: "The address and the headers of the request are too large",
    advice: "Send at most 16 KB before the body. The connection is closed.",
  },
  bodyTooLarge: {
    status: 413,
    message:
      "The request body is above 5 MB, a lead or a mapping above 256 KB, or a piece of a file above 4 MB",
    advice:
      "Send fewer records at once, a smaller lead or mapping, or a smaller piece. The answer has no body.",
  },
  tooManyRecords: {
    status: 413,
    message: "The batch has too many records",
    advice: "Send at most max records per request. Nothing in the batch was processed.",
  },
  unsupportedMediaType: {
    status: 415,
    message: "The body must be sent as application/json",
    advice:
      "Set Content-Type: application/json, or application/octet-stream for a piece of a file, and send the body without a content encoding.",
  },
  bodyInvalid: {
    status: 400,
    message: "The request is not valid",
    advice: "errors lists every violation. Correct them and send the request again.",
  },
  bodyMalformed: {
    status: 400,
    message: "The request body is not valid JSON",
    advice: "Send one JSON object, encoded in UTF-8.",
  },
  envelopeInvalid: {
    status: 400,
    message: "The batch is not valid",
    advice: "Send an object with the array of records and, optionally, a metadata object.",
  },
  batchEmpty: {
    status: 400,
    message: "The batch has no records",
    advice: "Send at least one record.",
  },
  openQuestions: {
    status: 400,
    message: "The mapping has open questions",
    advice:
      "errors lists them. Answer each in the mapping, or check the file first: a check does not need the answers.",
  },
  conflict: {
    status: 409,
    message: "This is not possible in the present state of the upload",
    advice: "errors says why. Read the upload: its state and receivedBytes say how to continue.",
  },
  idempotencyConflict: {
    status: 422,
    message: "This Idempotency-Key was used with another body",
    advice: "Use a new key for a new lead; repeat a key only with the same body.",
  },
  rateLimited: {
    status: 429,
    message: "Too many requests",
    advice:
      "Wait for the number of seconds in Retry-After. X-RateLimit-Remaining is the number of requests left.",
  },
  internal: {
    status: 500,
    message: "An unexpected error occurred",
    advice: "Try again. If it keeps happening, report the X-Request-Id of the answer.",
  },
  captchaUnavailable: {
    status: 503,
    message: "The captcha could not be checked at the moment",
    advice: "Nothing was stored. Try again in a few seconds.",
  },
  databaseUnavailable: {
    status: 503,
    message: "The database cannot be reached at the moment",
    advice:
      "Try again in a few seconds. Nothing of an import was stored. A lead may have been stored if the connection broke at that moment: with an Idempotency-Key, resending stores it only once.",
  },
  runNotReadable: {
    status: 503,
    message: "The run was acknowledged, but it cannot be read yet",
    advice: "The run exists. Try again after the number of seconds in Retry-After.",
  },
  shuttingDown: {
    status: 503,
    message: "The service is shutting down",
    advice: "Nothing was stored. Try again: another instance, or this one after its restart, will answer.",
  },
  overloaded: {
    status: 503,
    message: "The service is busy",
    advice: "Nothing was stored. Try again after the number of seconds in Retry-After.",
  },
} as const satisfies Record<string, ErrorDescription>;

export type ErrorName = keyof typeof errors;

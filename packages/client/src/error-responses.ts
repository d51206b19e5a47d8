import type { ImportRun } from "@gatehouse-parking/contract";
import {
  ConflictError,
  ForbiddenError,
  GatehouseError,
  IdempotencyConflictError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  TooLargeError,
  UnauthorizedError,
} from "./errors.js";
import { maxBodyBytes, maxLeadBytes, receiptHeader } from "./contract.js";

const defaultRetryAfterSeconds = 60;

type Body = Record<string, unknown>;

/** Converts an unsuccessful response into the error class of its status. */
export function errorFromResponse(status: number, headers: Headers, text: string): GatehouseError {
  const body = readBody(text);
  const message = messageOf(status, body);
  const facts = {
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    errorName: headers.get("x-error") ?? undefined,
    details: detailsOf(body),
  };
  const retryAfterSeconds = secondsOf(headers.get("retry-after"));
  switch (status) {
    case 400:
      return new InvalidRequestError(message, facts);
    case 401:
      return new UnauthorizedError(message, facts);
    case 403:
      return new ForbiddenError(message, facts);
    case 404:
      return new NotFoundError(message, facts);
    case 409:
      return new ConflictError(message, facts);
    case 413:
      return new TooLargeError(message, {
        ...facts,
        ...(typeof body["submitted"] === "number" ? { submitted: body["submitted"] } : {}),
        ...(typeof body["max"] === "number" ? { max: body["max"] } : {}),
      });
    case 422:
      return new IdempotencyConflictError(message, facts);
    case 429:
      return new RateLimitedError(message, {
        ...facts,
        retryAfterSeconds: retryAfterSeconds ?? defaultRetryAfterSeconds,
      });
    default:
      break;
  }
  if (status < 400) {
    const target = headers.get("location") ?? "a different address";
    return new GatehouseError(`The service redirects to ${target}. Check the address`, facts);
  }
  if (status < 500) return new GatehouseError(message, facts);
  return new ServerError(message, {
    ...facts,
    ...(typeof body["referenceUuid"] === "string"
      ? { run: { ...(body as ImportRun), ...receiptIn(headers) } }
      : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function receiptIn(headers: Headers): { receipt?: string } {
  const receipt = headers.get(receiptHeader);
  return receipt === null ? {} : { receipt };
}

/** A proxy may respond with its own page, so the body can be anything. */
function readBody(text: string): Body {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Body) : {};
  } catch {
    return {};
  }
}

function messageOf(status: number, body: Body): string {
  const said = [body["message"], body["error"], body["title"]].find(
    (text): text is string => typeof text === "string" && text !== "",
  );
  if (said) return `${said} (status ${status})`;
  if (typeof body["referenceUuid"] === "string")
    return `Import ${body["referenceUuid"]} failed (status ${status}): ${recordDetail(body)}`;
  return status === 413
    ? `The request body is larger than ${maxBodyBytes / 1024 ** 2} MB, or the lead larger than ${maxLeadBytes / 1024} KB (status 413)`
    : `The service answered with status ${status}`;
}

/**
 * Every record says whether nothing was stored or the outcome is unknown. The text is the same for all
 * records.
 */
function recordDetail(body: Body): string {
  const [first] = Array.isArray(body["results"]) ? (body["results"] as unknown[]) : [];
  const detail = (first as Body | null | undefined)?.["errorDetail"];
  return typeof detail === "string" && detail !== ""
    ? detail
    : "It may or may not have been stored. Resending it stores nothing twice.";
}

/** The error envelope lists its errors; problem details group them by field. */
function detailsOf(body: Body): string[] {
  const errors = body["errors"];
  if (Array.isArray(errors)) return errors.map(String);
  if (typeof errors !== "object" || errors === null) return [];
  return Object.entries(errors).flatMap(([field, messages]) =>
    [messages].flat().map((message) => (field ? `${field}: ${String(message)}` : String(message))),
  );
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

import type { ImportRun } from "@gatehouse-parking/contract";
import {
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

/** Turns an answer that is no success into the error of its status. */
export function errorFromAnswer(status: number, headers: Headers, text: string): GatehouseError {
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
    const target = headers.get("location") ?? "another address";
    return new GatehouseError(`The address redirects to ${target}; is it the right one?`, facts);
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

/** A proxy on the way may answer with a page of its own, so nothing is taken for granted. */
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
    return `The service failed in run ${body["referenceUuid"]} (status ${status}): ${saidOfRecords(body)}`;
  return status === 413
    ? `The request body is above ${maxBodyBytes / 1024 ** 2} MB, or a lead above ${maxLeadBytes / 1024} KB (status 413)`
    : `The service answered with status ${status}`;
}

/** Whether nothing was stored, or nobody knows, is said of each record; it is the same for all of them. */
function saidOfRecords(body: Body): string {
  const [first] = Array.isArray(body["results"]) ? (body["results"] as unknown[]) : [];
  const detail = (first as Body | null | undefined)?.["errorDetail"];
  return typeof detail === "string" && detail !== ""
    ? detail
    : "It may or may not have been stored. Sending it again will not store anything twice.";
}

/** The envelope lists its errors, problem details have them by field. */
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

import { errors } from "@gatehouse-parking/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { VersionConflictError, InvalidInput, NotFoundError, ConflictError } from "./input-errors.js";
import { retryAfterSeconds } from "./render-error.js";
import { databaseRefusal, Refused } from "./refused.js";
import { RequestRefused } from "./request-refused.js";
import { consoleRefusals, type ConsoleError } from "@gatehouse-parking/contract/console";
import { ConsoleRefused } from "./console-refused.js";

const unavailableRetrySeconds = 5;
/** Browsers know no scheme of this name, so none asks for a password in a window of its own. */
const sessionChallenge = 'Session realm="Gatehouse console"';

export function renderConsoleError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refused = thrown instanceof ConsoleRefused ? thrown : translate(thrown);
  const { status, message } = consoleRefusals[refused.code];
  // Among them whether the connection is to be closed, because where the request ends is in doubt.
  if (thrown instanceof RequestRefused) void reply.headers(thrown.headers);
  request.refusal = refused.code;
  // A refusal of our own names its cause by itself; the line of the answer holds it.
  const isRefusal = thrown instanceof ConsoleRefused || thrown instanceof Refused;
  if (status >= 500 && !isRefusal) request.log.error({ err: thrown }, "request failed");

  const retryAfter =
    refused.retryAfter ?? (refused.code === "unavailable" ? unavailableRetrySeconds : undefined);
  if (retryAfter !== undefined) void reply.header("retry-after", String(retryAfter));
  if (status === 401) void reply.header("www-authenticate", sessionChallenge);
  // The rest of a body that is too large is not read, so the connection cannot be used again.
  if (refused.code === "tooLarge") void reply.header("connection", "close");
  const body: ConsoleError = {
    success: false,
    code: refused.code,
    message,
    errors: refused.details.length > 0 ? refused.details : [message],
    ...(retryAfter === undefined ? {} : { retryAfter }),
    requestId: request.id,
    timestamp: new Date().toISOString(),
  };
  return reply.code(status).type("application/json; charset=utf-8").serializer(JSON.stringify).send(body);
}

function translate(thrown: unknown): ConsoleRefused {
  if (thrown instanceof NotFoundError) return new ConsoleRefused("notFound", [thrown.message]);
  if (thrown instanceof VersionConflictError) return new ConsoleRefused("changedMeanwhile", [thrown.message]);
  if (thrown instanceof ConflictError) return new ConsoleRefused("conflict", [thrown.message]);
  if (thrown instanceof InvalidInput) return new ConsoleRefused("invalid", thrown.problems);
  if (thrown instanceof Refused) return translateRefusal(thrown);
  const code = (thrown as { code?: unknown }).code;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return new ConsoleRefused("tooLarge");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return new ConsoleRefused("unsupportedMediaType");
  if (databaseRefusal(thrown)) return new ConsoleRefused("unavailable");
  return new ConsoleRefused("internal");
}

function translateRefusal(refused: Refused): ConsoleRefused {
  switch (refused.refusal) {
    case "loopbackOnly":
      return new ConsoleRefused("loopbackOnly");
    case "unsupportedMediaType":
      return new ConsoleRefused("unsupportedMediaType");
    case "bodyTooLarge":
      return new ConsoleRefused("tooLarge");
    case "rateLimited":
      return new ConsoleRefused("rateLimited", [], { retryAfter: retryAfterSeconds });
    default:
      break;
  }
  const { status } = errors[refused.refusal];
  if (status === 503) return new ConsoleRefused("unavailable", refused.details);
  return status === 500 ? new ConsoleRefused("internal") : new ConsoleRefused("invalid", refused.details);
}

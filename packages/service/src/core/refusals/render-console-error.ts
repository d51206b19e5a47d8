import { errors } from "@gatehouse-parking/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { databaseRefusal, Refused } from "./refused.js";
import { UserError } from "./user-error.js";
import { retryAfterSeconds } from "./render-error.js";
import { consoleRefusals, type ConsoleError } from "@gatehouse-parking/contract/console";

const unavailableRetrySeconds = 5;
/** Browsers do not know this scheme, so they show no password dialog. */
const sessionChallenge = 'Session realm="Gatehouse console"';

export function renderConsoleError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refused = thrown instanceof UserError ? thrown : translate(thrown);
  const { status, message } = consoleRefusals[refused.code];
  // These include whether to close the connection, because the end of the request is uncertain.
  if (thrown instanceof Refused) void reply.headers(thrown.headers);
  request.refusal = refused.code;
  // Rejections are named in the request's log line.
  const isRefusal = thrown instanceof UserError || thrown instanceof Refused;
  if (status >= 500 && !isRefusal) request.log.error({ err: thrown }, "request failed");

  const retryAfter =
    refused.retryAfter ?? (refused.code === "unavailable" ? unavailableRetrySeconds : undefined);
  if (retryAfter !== undefined) void reply.header("retry-after", String(retryAfter));
  if (status === 401) void reply.header("www-authenticate", sessionChallenge);
  // The rest of an oversized body is not read, so the connection cannot be used again.
  if (refused.code === "tooLarge") void reply.header("connection", "close");
  const body: ConsoleError = {
    success: false,
    code: refused.code,
    message,
    errors: refused.problems.length > 0 ? [...refused.problems] : [message],
    ...(retryAfter === undefined ? {} : { retryAfter }),
    requestId: request.id,
    timestamp: new Date().toISOString(),
  };
  return reply.code(status).type("application/json; charset=utf-8").serializer(JSON.stringify).send(body);
}

function translate(thrown: unknown): UserError {
  if (thrown instanceof Refused) return translateRefusal(thrown);
  const code = (thrown as { code?: unknown }).code;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return new UserError("tooLarge");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return new UserError("unsupportedMediaType");
  if (databaseRefusal(thrown)) return new UserError("unavailable");
  return new UserError("internal");
}

function translateRefusal(refused: Refused): UserError {
  switch (refused.refusal) {
    case "loopbackOnly":
      return new UserError("loopbackOnly");
    case "unsupportedMediaType":
      return new UserError("unsupportedMediaType");
    case "bodyTooLarge":
      return new UserError("tooLarge");
    case "rateLimited":
      return new UserError("rateLimited", [], { retryAfter: retryAfterSeconds });
    default:
      break;
  }
  const { status } = errors[refused.refusal];
  if (status === 503) return new UserError("unavailable", refused.details);
  return status === 500 ? new UserError("internal") : new UserError("invalid", refused.details);
}

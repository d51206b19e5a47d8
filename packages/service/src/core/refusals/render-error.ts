import {
  errorHeader,
  errors,
  type ErrorEnvelope,
  type ErrorName,
  type ProblemDetails,
} from "@gatehouse-parking/contract";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { databaseRefusal, Refused, type BatchProblem } from "./refused.js";

export const retryAfterSeconds = 60;
const overloadedRetrySeconds = 5;
/** A 401 names what would be accepted; the words are those of the OpenAPI document. */
const keyChallenge = 'ApiKey realm="Gatehouse", in="header", name="X-API-KEY"';

/** The one place where errors become answers. No message of an unexpected error ever leaves. */
export function renderError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = thrown instanceof Refused ? thrown : translate(thrown, request);
  const { status, message } = errors[refused.refusal];
  request.refusal = refused.refusal;
  // A refusal names its cause by itself; the line of the answer holds it.
  if (status >= 500 && refused !== thrown) request.log.error({ err: thrown }, "request failed");

  void reply
    .code(status)
    .headers({ "cache-control": "no-store", [errorHeader]: refused.refusal, ...refused.headers });
  if (refused.refusal === "bodyTooLarge") {
    // The rest of the body is not read, so the connection cannot be used again.
    return reply.header("connection", "close").send();
  }
  if (refused.refusal === "rateLimited") {
    return sendJson(reply.header("retry-after", String(retryAfterSeconds)), {
      success: false,
      message,
      retryAfter: retryAfterSeconds,
      timestamp: new Date().toISOString(),
    });
  }
  if (status === 401) void reply.header("www-authenticate", keyChallenge);
  if (status === 503) void reply.header("retry-after", String(overloadedRetrySeconds));
  if (refused.batch) return sendBatchProblem(reply, refused.batch);
  return sendJson(reply, errorEnvelope(refused.refusal, refused.details));
}

/** The specification gives refused batches shapes of their own. */
function sendBatchProblem(reply: FastifyReply, problem: BatchProblem): FastifyReply {
  const { says } = problem;
  if (problem.refusal === "batchEmpty") return sendJson(reply, { error: says });
  if (problem.refusal === "tooManyRecords") {
    const { submitted, max } = problem;
    return sendJson(reply, { error: says, submitted, max });
  }
  const details: ProblemDetails = {
    type: "about:blank",
    title: "The request is not valid",
    status: 400,
    errors: { [problem.member]: [says] },
    ...(problem.isMissing ? { error: says } : {}),
  };
  return sendJson(reply, details, "application/problem+json; charset=utf-8");
}

export function errorEnvelope(refusal: ErrorName, details?: string[]): ErrorEnvelope {
  const { message } = errors[refusal];
  return { success: false, message, errors: details ?? [message], timestamp: new Date().toISOString() };
}

function sendJson(
  reply: FastifyReply,
  value: unknown,
  contentType = "application/json; charset=utf-8",
): FastifyReply {
  return reply.type(contentType).serializer(JSON.stringify).send(value);
}

/** Errors of the framework and of the database, as refusals. */
function translate(error: unknown, request: FastifyRequest): Refused {
  // The client went away in the middle of its body. That looks like a lost connection to the database, but is not one.
  if (request.raw.destroyed && !request.raw.complete) return new Refused("requestMalformed");
  switch ((error as Partial<FastifyError> | null)?.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Refused("bodyTooLarge");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Refused("unsupportedMediaType");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new Refused("requestMalformed");
    // A path that leads out of the folder of files, or that the file system cannot even look up.
    case "FST_STATIC_FORBIDDEN_PATH":
      return new Refused("notFound");
    default:
      break;
  }
  return databaseRefusal(error) ?? new Refused("internal");
}

declare module "fastify" {
  interface FastifyRequest {
    /** The name of the refusal, for the log. */
    refusal: string | null;
  }
}

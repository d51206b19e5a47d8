import {
  errorHeader,
  errors,
  type ErrorEnvelope,
  type ErrorName,
  type ProblemDetails,
} from "@gatehouse-parking/contract";
import type { ConsoleErrorCode } from "@gatehouse-parking/contract/console";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { databaseRefusal, Refused, type BatchProblem } from "./refused.js";
import { UserError } from "./user-error.js";

export const retryAfterSeconds = 60;
const overloadedRetrySeconds = 5;
/** A 401 names the accepted authentication, in the words of the OpenAPI document. */
const keyChallenge = 'ApiKey realm="Gatehouse", in="header", name="X-API-KEY"';

/** Turns errors into answers. Messages of unexpected errors are never sent. */
export function renderError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = thrown instanceof Refused ? thrown : translate(thrown, request);
  const { status, message } = errors[refused.refusal];
  request.refusal = refused.refusal;
  request.refusalMessages = refused.batch ? [refused.batch.says] : refused.details;
  // Rejections are named in the request's log line.
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

/** The specification defines special bodies for rejected batches. */
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

/** Functions that the console and the API share throw the console's errors. */
function refusalOf({ code, problems, headers }: UserError): Refused {
  const refusal = namesForUsers[code] ?? "internal";
  // A missing thing and one of another organization get the same answer.
  const isSaid = problems.length > 0 && refusal !== "notFound";
  return new Refused(refusal, { ...(isSaid ? { details: [...problems] } : {}), headers });
}

const namesForUsers: Partial<Record<ConsoleErrorCode, ErrorName>> = {
  invalid: "bodyInvalid",
  openQuestions: "openQuestions",
  notFound: "notFound",
  conflict: "conflict",
  unsupportedMediaType: "unsupportedMediaType",
};

/** Translates errors of Fastify and of the database. */
function translate(error: unknown, request: FastifyRequest): Refused {
  // The client disconnected during its body. The error resembles a lost database connection.
  if (request.raw.destroyed && !request.raw.complete) return new Refused("requestMalformed");
  switch ((error as Partial<FastifyError> | null)?.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Refused("bodyTooLarge");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Refused("unsupportedMediaType");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new Refused("requestMalformed");
    // A path outside the served folder, or one that the file system rejects.
    case "FST_STATIC_FORBIDDEN_PATH":
      return new Refused("notFound");
    default:
      break;
  }
  if (error instanceof UserError) return refusalOf(error);
  return databaseRefusal(error) ?? new Refused("internal");
}

declare module "fastify" {
  interface FastifyRequest {
    /** The name of the error, for the log. */
    refusal: string | null;
    /** What the answer says is wrong. */
    refusalMessages: readonly string[] | null;
  }
}

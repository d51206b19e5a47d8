import { errorHeader, type OperationName } from "@gatehouse-parking/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientAddress } from "../server/client-address.js";

/** A request with a valid key, as it is counted and logged: without body, headers and query string. */
export interface AnsweredRequest {
  organizationId: string;
  apiKeyId: string;
  operation: OperationName;
  address: string;
  /** Null: the client aborted the request. */
  status: number | null;
  /** The name of the error that it was answered with. */
  reason: string | null;
  runId: string | null;
  bodyBytes: number | null;
  /** Null: the client aborted the request. */
  durationMs: number | null;
  requestId: string;
  /** Null: accepted, or aborted by the client. */
  answer: Answer | null;
}

/** The answer to a rejected request. */
export interface Answer {
  /** The reasons, cut to a bounded length. They name fields, never their values. */
  messages: readonly string[];
  /** The headers that control what a client does next. */
  headers: Readonly<Record<string, string>>;
}

const keptHeaders = [
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "retry-after",
  "content-type",
];
const maxMessages = 20;
const maxMessageLength = 300;

/** Undefined for other routes and for rejected keys. */
export function answeredRequest(
  request: FastifyRequest,
  reply: FastifyReply | undefined,
): AnsweredRequest | undefined {
  const { operation } = request.routeOptions.config;
  if (!operation || !request.caller) return undefined;
  const { organizationId, apiKeyId } = request.caller;
  const error = reply?.getHeader(errorHeader);
  return {
    organizationId,
    apiKeyId,
    operation,
    address: clientAddress(request),
    status: reply?.statusCode ?? null,
    reason: typeof error === "string" ? error : null,
    runId: request.referenceUuid ?? null,
    bodyBytes: bodyBytes(request),
    durationMs: reply?.elapsedTime ?? null,
    requestId: request.id,
    answer: reply && reply.statusCode >= 400 ? answerOf(request, reply) : null,
  };
}

function answerOf(request: FastifyRequest, reply: FastifyReply): Answer {
  return {
    messages: (request.refusalMessages ?? [])
      .slice(0, maxMessages)
      .map((message) => message.slice(0, maxMessageLength)),
    headers: Object.fromEntries(
      keptHeaders.flatMap((name) => {
        const value = reply.getHeader(name);
        return value === undefined ? [] : [[name, String(value)]];
      }),
    ),
  };
}

function bodyBytes(request: FastifyRequest): number | null {
  const declared = request.headers["content-length"];
  if (declared !== undefined) {
    const bytes = Number(declared);
    return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null;
  }
  if (Buffer.isBuffer(request.body)) return request.body.length;
  return request.headers["transfer-encoding"] === undefined ? 0 : null;
}

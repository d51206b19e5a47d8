import {
  METHODS,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { errorHeader, errors, type ErrorName } from "@gatehouse-parking/contract";
import type { FastifyBaseLogger } from "fastify";
import { uuidv7 } from "../uuidv7.js";
import { errorEnvelope } from "../refusals/render-error.js";
import { endAndLinger } from "./linger.js";
import { requestId } from "./request-log.js";

/**
 * What is no HTTP, too large to be looked at or too slow never becomes a request that the app could answer. It gets the
 * error envelope all the same, written by hand, and the connection is closed.
 */
export function answerClientErrors(
  server: Server,
  { log, lingerMs }: { log: FastifyBaseLogger; lingerMs: number },
): void {
  const exchanges = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    exchanges.set(request.socket, { request, response });
  });

  const unreadable = new WeakSet<Socket>();

  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    // Nothing can be said to who speaks plain HTTP to the port for TLS; operators should know of it all the same.
    if (error.code === "ERR_SSL_HTTP_REQUEST")
      log.info(
        { outcome: "httpsRequired", remoteAddress: socket.remoteAddress },
        "plain HTTP on the TLS port",
      );
    const isGone = /^(ECONNRESET$|ERR_SSL_|ERR_TLS_)/.test(error.code ?? "");
    // Every further piece of what cannot be read is reported anew, while the first one is being dealt with.
    if (!isGone && unreadable.has(socket)) return;
    unreadable.add(socket);
    // Nobody is there to read an answer, or no common encryption to say it in.
    if (!socket.writable || isGone) {
      socket.destroy();
      return;
    }
    const exchange = exchanges.get(socket);
    const isAnswering = exchange !== undefined && !exchange.response.writableFinished;
    if (isAnswering && exchange.request.complete) {
      // Something unreadable follows a good request: that one still gets its answer, and nothing else does.
      exchange.response.once("close", () => endAndLinger(socket, "", lingerMs));
    } else if (exchange && !exchange.request.complete && exchange.response.writableEnded) {
      // It was refused before it had arrived in full, and what cannot be read belongs to it: all has been said.
      endAndLinger(socket, "", lingerMs);
    } else if (isAnswering && (exchange.response.headersSent || exchange.response.socket === null)) {
      // An answer has begun, or is owed to an earlier request first: anything said now would be taken for it.
      socket.destroy();
    } else {
      const refusal = refusals[error.code ?? ""] ?? "requestMalformed";
      const reqId = uuidv7();
      log.info({ reqId, status: errors[refusal].status, outcome: refusal, code: error.code }, "answered");
      // What arrives late must not be taken for a request any more; what cannot be read never will be.
      if (refusal === "requestTimeout") socket.end(answer(refusal, reqId), () => socket.destroy());
      else endAndLinger(socket, answer(refusal, reqId), lingerMs);
    }
  });
}

const refusals: Record<string, ErrorName> = {
  ERR_HTTP_REQUEST_TIMEOUT: "requestTimeout",
  HPE_HEADER_OVERFLOW: "headersTooLarge",
};

/**
 * Node also reads requests of RTSP, whose methods no router of HTTP knows. They are as foreign as what cannot be read.
 */
export function refuseForeignMethods(answerOthers: RequestListener, log: FastifyBaseLogger): RequestListener {
  const methods = new Set(METHODS);
  return (request, response) => {
    if (methods.has(request.method as string)) return answerOthers(request, response);
    const { status, headers, body } = lastAnswer("requestMalformed", requestId(request));
    log.info({ reqId: headers["X-Request-Id"], status, outcome: "requestMalformed" }, "answered");
    response.writeHead(status, headers).end(body);
  };
}

function answer(refusal: ErrorName, reqId: string): string {
  const { status, headers, body } = lastAnswer(refusal, reqId);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n");
}

function lastAnswer(refusal: ErrorName, reqId: string) {
  const body = JSON.stringify(errorEnvelope(refusal));
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Request-Id": reqId,
    [errorHeader]: refusal,
    Connection: "close",
  };
  return { status: errors[refusal].status, headers, body };
}

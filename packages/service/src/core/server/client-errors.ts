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
import { endAndLinger } from "./connections.js";
import { requestId } from "./request-log.js";

/**
 * Malformed, oversized and slow requests never reach the app. This code writes the same error envelope to the socket
 * and closes the connection.
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
    // The client cannot read an answer, so only the log mentions it.
    if (error.code === "ERR_SSL_HTTP_REQUEST")
      log.info(
        { outcome: "httpsRequired", remoteAddress: socket.remoteAddress },
        "plain HTTP request on the TLS port",
      );
    const isGone = /^(ECONNRESET$|ERR_SSL_|ERR_TLS_)/.test(error.code ?? "");
    // Node reports every further chunk of the same malformed request.
    if (!isGone && unreadable.has(socket)) return;
    unreadable.add(socket);
    // The client has disconnected, or the TLS handshake failed.
    if (!socket.writable || isGone) {
      socket.destroy();
      return;
    }
    const exchange = exchanges.get(socket);
    const isAnswering = exchange !== undefined && !exchange.response.writableFinished;
    if (isAnswering && exchange.request.complete) {
      // The malformed bytes follow a valid request, which is still answered.
      exchange.response.once("close", () => endAndLinger(socket, "", lingerMs));
    } else if (exchange && !exchange.request.complete && exchange.response.writableEnded) {
      // The malformed bytes belong to a request that was rejected before all of it arrived.
      endAndLinger(socket, "", lingerMs);
    } else if (isAnswering && (exchange.response.headersSent || exchange.response.socket === null)) {
      // The client would read these bytes as part of the answer that has begun or is still due.
      socket.destroy();
    } else {
      const refusal = refusals[error.code ?? ""] ?? "requestMalformed";
      const reqId = uuidv7();
      log.info(
        { reqId, status: errors[refusal].status, outcome: refusal, code: error.code },
        "request completed",
      );
      // After a timeout, late bytes could still form a request; malformed ones cannot.
      if (refusal === "requestTimeout") socket.end(answer(refusal, reqId), () => socket.destroy());
      else endAndLinger(socket, answer(refusal, reqId), lingerMs);
    }
  });
}

const refusals: Record<string, ErrorName> = {
  ERR_HTTP_REQUEST_TIMEOUT: "requestTimeout",
  HPE_HEADER_OVERFLOW: "headersTooLarge",
};

/** Node also parses RTSP methods, which the router does not know. They count as malformed. */
export function refuseForeignMethods(answerOthers: RequestListener, log: FastifyBaseLogger): RequestListener {
  const methods = new Set(METHODS);
  return (request, response) => {
    if (methods.has(request.method as string)) return answerOthers(request, response);
    const { status, headers, body } = lastAnswer("requestMalformed", requestId(request));
    log.info({ reqId: headers["X-Request-Id"], status, outcome: "requestMalformed" }, "request completed");
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

import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of one connection that are being answered or wait for it. Whoever sends more without reading is cut off. */
export const maxOutstandingRequests = 16;

/**
 * Answers the requests of a connection one after the other. A client may send many without waiting for an answer, and
 * Node hands all of them over as they arrive. If they were begun then, every answer, open file and place to work would
 * be held until the client has read the answers before it; and an answer that waits behind another is never told that
 * its connection was closed, so what it holds would be held for good. So a request begins when its answer can be sent.
 */
export function answerInTurn(server: Server, answer: RequestListener): void {
  const queues = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();

  function begin(request: IncomingMessage, response: ServerResponse): void {
    response.once("close", () => goOn(request.socket));
    answer(request, response);
  }

  function goOn(socket: Socket): void {
    // What arrived behind the last answer of its connection could not be answered any more.
    if (!socket.writable) return;
    const next = queues.get(socket)?.shift();
    if (next) begin(...next);
    else queues.delete(socket);
  }

  server.on("request", (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? [];
    const isFirst = !queues.has(socket);
    queues.set(socket, queue);
    if (isFirst && socket.writable) begin(request, response);
    else if (queue.length + 1 < maxOutstandingRequests) queue.push([request, response]);
    else socket.destroy();
  });
  // The app decides about these too: whether the body may come, and what it does not understand.
  for (const event of ["checkContinue", "checkExpectation"])
    server.on(event, (request, response) => server.emit("request", request, response));
}

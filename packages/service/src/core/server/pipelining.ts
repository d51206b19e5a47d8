import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Unanswered requests per connection. One more closes it. */
export const maxOutstandingRequests = 16;

/**
 * Starts a pipelined request when the answer before it has been sent. Node hands over all of them as they arrive: started
 * then, each would hold its resources until the client has read the earlier answers, and for ever if the connection
 * closes, because Node does not tell an answer that waits behind another.
 */
export function answerInOrder(server: Server, answer: RequestListener): void {
  const queues = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();

  function start(request: IncomingMessage, response: ServerResponse): void {
    response.once("close", () => startNext(request.socket));
    answer(request, response);
  }

  function startNext(socket: Socket): void {
    // After the last answer of the connection nothing more can be sent.
    if (!socket.writable) return;
    const next = queues.get(socket)?.shift();
    if (next) start(...next);
    else queues.delete(socket);
  }

  server.on("request", (request, response) => {
    const { socket } = request;
    const queue = queues.get(socket) ?? [];
    const isFirst = !queues.has(socket);
    queues.set(socket, queue);
    if (isFirst && socket.writable) start(request, response);
    else if (queue.length + 1 < maxOutstandingRequests) queue.push([request, response]);
    else socket.destroy();
  });
  // The app handles these too: whether to ask for the body, and which expectations to refuse.
  for (const event of ["checkContinue", "checkExpectation"])
    server.on(event, (request, response) => server.emit("request", request, response));
}

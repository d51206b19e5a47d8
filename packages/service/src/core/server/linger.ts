import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/**
 * A refusal often leaves before its request has arrived in full: a body that is too large, a key that is not valid.
 * If the connection were closed at once, the kernel would reset it, and a client that is still sending would see a
 * broken pipe instead of the answer (measured: one request in three). So our side is ended, what still arrives is
 * thrown away for a while, and only then the connection is closed.
 */
export function lingerOnClose(server: Server, lingerMs: number): void {
  server.prependListener("request", (request: IncomingMessage) => {
    const { socket } = request;
    // Node calls this when the answer was the last one of the connection.
    socket.destroySoon = () => {
      if (request.complete) (Object.getPrototypeOf(socket) as Socket).destroySoon.call(socket);
      else endAndLinger(socket, "", lingerMs);
    };
  });
}

/** Sends the last words, waits until the client ends its side too, but no longer than `lingerMs`, and closes. */
export function endAndLinger(socket: Socket, lastWords: string, lingerMs: number): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
  socket.once("end", () => socket.destroy());
  socket.end(lastWords);
  socket.resume();
}

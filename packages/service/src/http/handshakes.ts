import type { Server } from "node:https";
import type { Socket } from "node:net";

/**
 * Connections that have not finished their TLS handshake. The HTTP server does not know them yet, so closing its
 * connections leaves them open; a silent one would hold up a shutdown until it times out.
 */
export function trackHandshakes(server: Server): { cut(): void } {
  const unfinished = new Map<string, Socket>();
  server.on("connection", (socket: Socket) => {
    const name = peerName(socket);
    unfinished.set(name, socket);
    socket.once("close", () => unfinished.delete(name));
  });
  server.on("secureConnection", (socket) => unfinished.delete(peerName(socket)));
  return {
    cut: () => {
      for (const socket of unfinished.values()) socket.destroy();
    },
  };
}

function peerName(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}

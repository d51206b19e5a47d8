import type { Server } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/**
 * Connections on which nothing was said yet: those that have not finished their TLS handshake, which the HTTP server
 * does not know, and those that browsers and balancers open in advance, which it does not count as idle. Closing its
 * connections leaves them open; a silent one would hold up a shutdown to its limit.
 */
export function trackUnusedConnections(server: Server): { cut(): void } {
  const unused = new Map<string, Socket>();
  const isSecure = server instanceof SecureServer;

  function add(socket: Socket): void {
    const name = peerName(socket);
    unused.set(name, socket);
    socket.once("close", () => unused.delete(name));
  }
  server.on("connection", add);
  // The same connection, from now on as what is said inside of it.
  server.on("secureConnection", add);
  server.on("request", (request) => unused.delete(peerName(request.socket)));

  return {
    cut: () => {
      for (const socket of unused.values()) {
        const isInHandshake = isSecure && !(socket as TLSSocket).encrypted;
        if (isInHandshake || socket.bytesRead === 0) socket.destroy();
      }
    },
  };
}

function peerName(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`;
}

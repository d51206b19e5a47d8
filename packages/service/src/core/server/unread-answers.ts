import type { Server } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";

/**
 * Closes connections whose client does not take what it has asked for. What was written and not taken stays in memory,
 * so it may not wait for ever. A stream goes on piece by piece, and each of them has the time anew.
 */
export function cutUnreadAnswers(server: Server, timeoutMs: number, checkMs: number): void {
  const sockets = new Set<Socket>();
  const stuck = new WeakMap<Socket, { takenBytes: number; sinceMs: number }>();
  server.on(server instanceof SecureServer ? "secureConnection" : "connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

  function look(socket: Socket, nowMs: number): void {
    const takenBytes = socket.bytesWritten - socket.writableLength;
    const before = stuck.get(socket);
    if (socket.writableLength === 0) stuck.delete(socket);
    else if (before?.takenBytes !== takenBytes) stuck.set(socket, { takenBytes, sinceMs: nowMs });
    else if (nowMs - before.sinceMs >= timeoutMs) socket.destroy();
  }

  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const socket of sockets) look(socket, nowMs);
  }, checkMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}

import type { IncomingMessage, Server, RequestListener, ServerResponse } from "node:http";
import { Server as SecureServer } from "node:https";
import { BlockList, isIPv6, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { FastifyBaseLogger } from "fastify";
import { limitAddress } from "./client-address.js";

/** The minimum interval between log lines about rejected connections. */
const logIntervalMs = 60_000;

export interface ConnectionLimit {
  /** Open connections per client address; 0: no limit. */
  perAddress: number;
  /** All clients connect through these, so their connections are not counted. */
  trustedProxies: readonly string[];
  log: FastifyBaseLogger;
}

/** Limits the connections of each address. Excess connections are closed before a byte is read. */
export function limitConnections(server: Server, { perAddress, trustedProxies, log }: ConnectionLimit): void {
  if (perAddress === 0) return;
  const open = new Map<string, number>();
  const isTrusted = matcherOf(trustedProxies);
  let loggedAtMs = Number.NEGATIVE_INFINITY;

  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress;
    // Undefined: the connection is already closed.
    if (address === undefined || isTrusted(address)) return;
    const name = limitAddress(address);
    const others = open.get(name) ?? 0;
    if (others >= perAddress) {
      socket.destroy();
      logRefusal(name);
      return;
    }
    open.set(name, others + 1);
    socket.once("close", () => {
      const left = (open.get(name) ?? 1) - 1;
      if (left > 0) open.set(name, left);
      else open.delete(name);
    });
  });

  function logRefusal(address: string): void {
    if (performance.now() - loggedAtMs < logIntervalMs) return;
    loggedAtMs = performance.now();
    log.warn({ address, perAddress }, "too many connections from one address");
  }
}

function matcherOf(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => list.check(address.split("%")[0] as string, isIPv6(address) ? "ipv6" : "ipv4");
}

/**
 * Closes connections whose client does not read its answers, because unread bytes stay in memory. The timeout restarts
 * with every byte that the client reads.
 */
export function closeUnreadConnections(server: Server, timeoutMs: number, checkMs: number): void {
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

/**
 * Connections without a request: in their TLS handshake, or opened in advance by browsers and load balancers. Node's
 * `closeIdleConnections` leaves them open, so they would delay a shutdown up to its limit.
 */
export function trackUnusedConnections(server: Server): { destroy(): void } {
  const unused = new Map<string, Socket>();
  const isSecure = server instanceof SecureServer;

  function add(socket: Socket): void {
    const name = peerName(socket);
    unused.set(name, socket);
    socket.once("close", () => unused.delete(name));
  }
  server.on("connection", add);
  // The same connection after its TLS handshake.
  server.on("secureConnection", add);
  server.on("request", (request) => unused.delete(peerName(request.socket)));

  return {
    destroy: () => {
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

/**
 * Lingering close. A rejection is often sent before its request has arrived completely. If the connection were closed
 * at once, the kernel would reset it, and a client that is still sending would see a broken pipe instead of the answer
 * (measured: one request in three). So the service closes its side and discards the rest of the request for a while.
 */
export function lingerOnClose(server: Server, lingerMs: number): void {
  server.prependListener("request", (request: IncomingMessage) => {
    const { socket } = request;
    // Node calls this after the last answer of the connection.
    socket.destroySoon = () => {
      if (request.complete) (Object.getPrototypeOf(socket) as Socket).destroySoon.call(socket);
      else endAndLinger(socket, "", lingerMs);
    };
  });
}

/** Sends the last bytes. Closes when the client closes its side too, after `lingerMs` at the latest. */
export function endAndLinger(socket: Socket, lastBytes: string, lingerMs: number): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
  socket.once("end", () => socket.destroy());
  socket.end(lastBytes);
  socket.resume();
}

/** Unanswered requests per connection. One more closes the connection. */
export const maxOutstandingRequests = 16;

/**
 * Starts a pipelined request after the answer to the previous one has been sent. Node passes all of them on as they
 * arrive. If they were started then, each would hold its resources until the client has read the earlier answers, and
 * forever if the connection closes, because Node does not report that to answers in the queue.
 */
export function answerInOrder(server: Server, answer: RequestListener): void {
  const queues = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();

  function start(request: IncomingMessage, response: ServerResponse): void {
    response.once("close", () => startNext(request.socket));
    answer(request, response);
  }

  function startNext(socket: Socket): void {
    // After the last answer, nothing more can be sent on this connection.
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
  // The app also decides whether to request the body and which expectations to reject.
  for (const event of ["checkContinue", "checkExpectation"])
    server.on(event, (request, response) => server.emit("request", request, response));
}

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";

/**
 * The parser creates objects for every request and chunk in a slice, and cannot be interrupted. A slice of this size
 * holds at most 28 requests or 340 chunks, which take less than a millisecond.
 */
const headSliceBytes = 512;
const bodySliceBytes = 2 * 1024;
/** Parsing time per turn of the event loop: for one connection, and for all together. */
const connectionTurnMs = 1;
const turnMs = 5;

/** A connection whose bytes wait for the parser. */
interface Feed {
  socket: Socket;
  parse(bytes: Buffer): void;
  /** The most recently parsed request. */
  request: IncomingMessage | undefined;
  /** Whether the connection closes after the answer to `request`. */
  isLast: boolean;
  /**
   * The number of following bytes that certainly belong to a body with a Content-Length. They are parsed in one piece.
   */
  bulkBytes: number;
  turn: number;
  usedMs: number;
  /** Why parsing is paused: the time limit was reached, or nothing reads the body. */
  awaits: "turn" | "reader" | undefined;
}

/**
 * Gives the HTTP parser small slices of a connection's bytes, with a time limit per turn of the event loop. Node
 * parses up to 64 KB at once and up to 2 MB per turn, so bodies in one-byte chunks and long pipelines would delay
 * everyone else. An unread body stays in the socket, because each of its chunks would be an object in memory.
 */
export function parseInSlices(servers: readonly Server[]): void {
  const feeds = new WeakMap<Socket, Feed>();
  const turns = new ParsingTurns();
  for (const server of servers) {
    server.on(server instanceof SecureServer ? "secureConnection" : "connection", (socket: Socket) => {
      // Node's own listener passes the bytes to the parser. With a second listener, Node no longer bypasses the stream.
      const [parse] = socket.listeners("data") as Feed["parse"][];
      if (!parse) return;
      const feed = newFeed(socket, parse);
      feeds.set(socket, feed);
      socket.on("data", (bytes: Buffer) => turns.take(feed, bytes));
      socket.off("data", parse);
    });
    server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
      const feed = feeds.get(request.socket);
      if (!feed) return;
      feed.request = request;
      if (asksForUpgrade(request)) {
        feed.isLast = true;
        response.shouldKeepAlive = false;
      }
      feed.bulkBytes = declaredLength(request);
    });
  }
}

function newFeed(socket: Socket, parse: Feed["parse"]): Feed {
  return {
    socket,
    parse,
    request: undefined,
    isLast: false,
    bulkBytes: 0,
    turn: 0,
    usedMs: 0,
    awaits: undefined,
  };
}

/** Node skips the rest of a slice after such a request, so the next slice could begin in the middle of another one. */
function asksForUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? "");
}

function declaredLength({ headers }: IncomingMessage): number {
  return headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : 0;
}

class ParsingTurns {
  #turn = 1;
  #usedMs = 0;
  #isOpen = false;
  /** Connections that had no time in the previous turn go first, so that short requests do not wait for long ones. */
  #first = new Set<Feed>();
  #later = new Set<Feed>();

  take(feed: Feed, bytes: Buffer): void {
    const { socket } = feed;
    feed.awaits = undefined;
    for (let rest = bytes; rest.length > 0;) {
      // After the last answer, no further request can be answered.
      if (socket.destroyed || socket.writableEnded) return;
      if (feed.isLast && feed.request?.complete) return;
      if (isUnread(feed.request)) return this.#awaitReader(feed, rest);
      const isBulk = feed.bulkBytes > bodySliceBytes;
      if (!isBulk && this.#isUsedUp(feed)) return this.#awaitTurn(feed, rest);
      const slice = rest.subarray(0, isBulk ? feed.bulkBytes : smallSlice(feed));
      rest = rest.subarray(slice.length);
      this.#parse(feed, slice);
      // Node is waiting for the body or the answers to be read, and resumes the socket itself.
      if (socket.isPaused() && rest.length > 0) return void socket.unshift(rest);
    }
  }

  #parse(feed: Feed, slice: Buffer): void {
    const begunMs = performance.now();
    feed.parse(slice);
    const tookMs = performance.now() - begunMs;
    // If the slice contained the head of a request, part of it was not body. The estimate is then too low, which is
    // safe.
    feed.bulkBytes = Math.max(0, feed.bulkBytes - slice.length);
    this.#open();
    if (feed.turn !== this.#turn) feed.usedMs = 0;
    feed.turn = this.#turn;
    feed.usedMs += tookMs;
    this.#usedMs += tookMs;
  }

  #isUsedUp(feed: Feed): boolean {
    return this.#usedMs >= turnMs || (feed.turn === this.#turn && feed.usedMs >= connectionTurnMs);
  }

  #awaitTurn(feed: Feed, rest: Buffer): void {
    putBack(feed, rest, "turn");
    (feed.turn === this.#turn ? this.#later : this.#first).add(feed);
  }

  #awaitReader(feed: Feed, rest: Buffer): void {
    putBack(feed, rest, "reader");
    feed.request?.once("resume", () => goOn(feed, "reader"));
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    const feeds = [...this.#first, ...this.#later];
    this.#first.clear();
    this.#later.clear();
    this.#turn += 1;
    this.#usedMs = 0;
    this.#isOpen = false;
    for (const feed of feeds) goOn(feed, "turn");
  }
}

function smallSlice({ request }: Feed): number {
  return request === undefined || request.complete ? headSliceBytes : bodySliceBytes;
}

/** Whether the rest of the request has not arrived and nothing reads it. */
function isUnread(request: IncomingMessage | undefined): boolean {
  return request !== undefined && !request.complete && request.readableFlowing !== true;
}

/** The socket stops reading when its buffer is full. */
function putBack(feed: Feed, rest: Buffer, awaits: "turn" | "reader"): void {
  feed.awaits = awaits;
  feed.socket.pause();
  feed.socket.unshift(rest);
}

function goOn(feed: Feed, awaited: "turn" | "reader"): void {
  // If the socket was resumed meanwhile, Node may have paused it again for another reason.
  if (feed.awaits === awaited) feed.socket.resume();
}

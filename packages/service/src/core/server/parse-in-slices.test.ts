import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { answerInOrder, maxOutstandingRequests } from "./connections.js";
import { parseInSlices } from "./parse-in-slices.js";

/** 18-byte requests that fit into one slice. */
const mostRequestsPerSlice = 28;
const largestSlice = 2048;

async function serve(answer: RequestListener): Promise<{ server: Server; socket: Socket }> {
  const server = createServer({ requireHostHeader: false });
  answerInOrder(server, answer);
  parseInSlices([server]);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  onTestFinished(async () => {
    socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await once(socket, "connect");
  return { server, socket };
}

function post(body: { declared: number } | "chunked"): string {
  const framing =
    body === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${String(body.declared)}`;
  return `POST / HTTP/1.1\r\n${framing}\r\n\r\n`;
}

/** Reads a body and records its bytes and its chunks. */
async function readPieces(request: IncomingMessage): Promise<{ text: string; pieces: number }> {
  let text = "";
  let pieces = 0;
  request.setEncoding("latin1").on("data", (piece: string) => {
    text += piece;
    pieces += 1;
  });
  await once(request, "end");
  return { text, pieces };
}

test("a body in one-byte chunks arrives complete while other work runs", async () => {
  const text = Array.from({ length: 100_000 }, (_, index) => index % 10).join("");
  let turns = 0;
  let received = "";
  const { socket } = await serve(async (request, response) => {
    const count = (): void => {
      turns += 1;
      if (received === "") setImmediate(count);
    };
    setImmediate(count);
    ({ text: received } = await readPieces(request));
    response.end("done");
  });
  const chunks = text.replaceAll(/./g, (digit) => `1\r\n${digit}\r\n`);
  socket.write(`${post("chunked")}${chunks}0\r\n\r\n`);
  await once(socket, "data");
  expect(received).toBe(text);
  // Node alone parses 64 KB at a time, which makes ten turns.
  expect(turns).toBeGreaterThan(20);
});

test("a long pipeline is parsed only up to the limit of waiting requests", async () => {
  let parsed = 0;
  const { server, socket } = await serve(() => undefined);
  server.on("request", () => (parsed += 1));
  socket.write("GET / HTTP/1.1\r\n\r\n".repeat(3_000));
  await once(socket, "close");
  expect(parsed).toBeGreaterThan(maxOutstandingRequests);
  expect(parsed).toBeLessThanOrEqual(maxOutstandingRequests + mostRequestsPerSlice);
});

test("an unread body stays in the socket and arrives once it is read", async () => {
  const chunks = 50_000;
  let begin: (request: IncomingMessage) => void = () => undefined;
  const begun = new Promise<IncomingMessage>((resolve) => (begin = resolve));
  const { socket } = await serve((request) => begin(request));
  socket.write(`${post("chunked")}${"1\r\nx\r\n".repeat(chunks)}0\r\n\r\n`);
  const request = await begun;
  // By the time another connection is answered, everything that needs no reader has been parsed.
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
  expect(request.readableLength).toBeLessThan(largestSlice);
  // Paused repeatedly in the middle.
  let received = 0;
  request.on("data", (piece: Buffer) => {
    received += piece.length;
    if (received % 1_000 !== 0) return;
    request.pause();
    setImmediate(() => request.resume());
  });
  await once(request, "end");
  expect(received).toBe(chunks);
});

test("a body with a Content-Length is passed on in large pieces, and the next request follows it", async () => {
  const bytes = 4 * 1024 * 1024;
  const bodies: { text: string; pieces: number }[] = [];
  const { socket } = await serve(async (request, response) => {
    bodies.push(await readPieces(request));
    response.end("done");
  });
  const body = "x".repeat(bytes);
  socket.write(`${post({ declared: bytes })}${body}${post({ declared: 3 })}abc`);
  await expect.poll(() => bodies.length).toBe(2);
  expect(bodies[0]?.text === body).toBe(true);
  expect(bodies[0]?.pieces).toBeLessThan(bytes / largestSlice / 2);
  expect(bodies[1]?.text).toBe("abc");
});

test("a request to upgrade the protocol is answered and closes the connection", async () => {
  const { socket } = await serve((_request, response) => response.end("done"));
  const upgrade = "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nX: p\r\n\r\n";
  let answers = "";
  socket.setEncoding("latin1").on("data", (text: string) => (answers += text));
  socket.write(upgrade + "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(40));
  await once(socket, "close");
  expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  expect(answers).toContain("Connection: close");
});

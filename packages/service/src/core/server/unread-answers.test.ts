import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { useWire } from "../../../testing/wire.js";
import { sendInChunks } from "./static-files.js";
import { maxOutstandingRequests } from "./connections.js";
import { listenerTimeouts } from "./servers.js";

const wire = useWire({ unreadTimeout: 300, connectionsCheckingInterval: 50 });
/** More than the buffers of two local sockets hold, if all of its answers are requested. */
const large = Buffer.alloc(1024 * 1024, "x");
const largePage = "/large";
const gatehouse = useApp({}, (app) => {
  app.get(largePage, { config: { access: "public" } }, (_request, reply) => sendInChunks(reply, large));
  return wire.listen(app);
});

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test("the documented timeout: an answer may be unread for 30 s", () => {
  expect(listenerTimeouts.unreadTimeout).toBe(30_000);
});

test("a client that does not read its answers is disconnected, on both ports", async () => {
  for (const plain of [false, true]) {
    const connection = await wire.connect({ plain });
    connection.socket.pause();
    connection.send(get(largePage).repeat(maxOutstandingRequests));
    // The answers in transit can still be read, followed by the end.
    await expect.poll(() => wire.openConnections()).toBe(0);
    connection.socket.destroy();
  }
});

test("connections that request 1,500 answers each and read none use little memory and delay no one", async () => {
  const before = process.memoryUsage().rss;
  const sockets = await Promise.all(
    Array.from({ length: 16 }, async (_none, index) => {
      const { socket } = await wire.connect({ plain: index % 2 === 0 });
      socket.pause();
      socket.write(get("/openapi.json").repeat(1_500));
      return socket;
    }),
  );
  const answer = await gatehouse.send({ url: "/livez" });
  expect(answer.status).toBe(200);
  await expect.poll(() => wire.openConnections()).toBe(0);
  const grownMegabytes = (process.memoryUsage().rss - before) / 1024 / 1024;
  expect(grownMegabytes).toBeLessThan(250);
  for (const socket of sockets) socket.destroy();
});

import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { useWire } from "../../../testing/wire.js";
import { maxOutstandingRequests } from "./connections.js";

const wire = useWire({ lingerTimeout: 300 });
let atWork = 0;
let mostAtWork = 0;
let begun = 0;
let release: () => void = () => {};
let held = Promise.resolve();
useApp({}, async (app) => {
  app.get("/held", { config: { access: "public" } }, async () => {
    begun += 1;
    atWork += 1;
    mostAtWork = Math.max(mostAtWork, atWork);
    await held;
    atWork -= 1;
    return { done: true };
  });
  await wire.listen(app);
});

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");

test("pipelined requests start one after the other on both ports", async () => {
  for (const plain of [false, true]) {
    mostAtWork = 0;
    const connection = await wire.connect({ plain });
    connection.send(get("/held").repeat(maxOutstandingRequests));
    const answers = await connection.answers(maxOutstandingRequests);
    expect(answers.map(({ status }) => status)).toEqual(Array(maxOutstandingRequests).fill(200));
    expect(mostAtWork).toBe(1);
    connection.socket.destroy();
  }
});

test("requests after the last answer of a connection never start", async () => {
  begun = 0;
  const last = get("/livez", "Expect: a-miracle");
  const atOnce = await wire.say(last + get("/held"));
  expect(atOnce.map(({ status }) => status)).toEqual([417]);
  // The rest of the rejected body arrives during the lingering close.
  const later = await wire.connect({ plain: true });
  later.socket.allowHalfOpen = true;
  later.send(
    "POST /lead/submit HTTP/1.1\r\nHost: localhost\r\nExpect: a-miracle\r\nContent-Length: 2\r\n\r\n",
  );
  await later.answers(1);
  later.send(`{}${get("/held")}`);
  await expect.poll(() => wire.openConnections()).toBe(0);
  later.socket.destroy();
  expect(begun).toBe(0);
});

test("one request over the pipeline limit closes the connection", async () => {
  for (const plain of [false, true]) {
    held = new Promise((resolve) => (release = resolve));
    const connection = await wire.connect({ plain });
    connection.send(get("/held").repeat(maxOutstandingRequests + 1));
    expect(await connection.untilClosed()).toEqual([]);
    release();
    await expect.poll(() => atWork).toBe(0);
  }
});

test("queued requests never start if the client has disconnected", async () => {
  held = new Promise((resolve) => (release = resolve));
  begun = 0;
  const connection = await wire.connect({ plain: true });
  connection.send(get("/held").repeat(5));
  await expect.poll(() => atWork).toBe(1);
  connection.socket.destroy();
  await expect.poll(() => wire.openConnections()).toBe(0);
  release();
  await expect.poll(() => atWork).toBe(0);
  // By the time this is answered, any further request would have started.
  expect(await wire.say(get("/livez", "Connection: close"))).toMatchObject([{ status: 200 }]);
  expect(begun).toBe(1);
});

import { once } from "node:events";
import { connect } from "node:net";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { useDatabase } from "../../../testing/harness.js";
import { useWire, type Connection } from "../../../testing/wire.js";
import { buildApp } from "../../app.js";
import { readConfig } from "../config.js";

const home = useDatabase();

/** An app with listeners. Its route waits for the test, which starts when enough requests are in flight. */
async function serve(wire: ReturnType<typeof useWire>, inFlight: number) {
  const app = await buildApp({
    config: { ...readConfig({}), secretKey: Buffer.alloc(32) },
    database: home.database,
    logger: pino({ level: "silent" }),
    maxEventLoopDelayMs: 0,
  });
  let waiting = 0;
  let begin: () => void = () => undefined;
  let finish: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const finished = new Promise<void>((resolve) => (finish = resolve));
  app.get("/slow", { config: { access: "public" } }, async () => {
    waiting += 1;
    if (waiting === inFlight) begin();
    await finished;
    return { done: true };
  });
  await wire.listen(app);
  return { app, begun, finish };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

async function isRefused(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const outcome = await Promise.race([
    once(socket, "connect").then(() => false),
    once(socket, "close").then(() => true),
  ]).catch(() => true);
  socket.destroy();
  return outcome;
}

describe("while not ready", () => {
  const wire = useWire();

  test("requests are answered and their connections closed", async () => {
    const { app, finish } = await serve(wire, 1);
    finish();
    const kept = await wire.connect({ plain: true });
    kept.send(get("/slow"));
    await kept.answers(1);
    app.readiness.obstacle = "shutting down";
    kept.send(get("/slow"));
    const [, last] = await kept.untilClosed();
    expect(last).toMatchObject({ status: 200, headers: { connection: "close" } });
  });
});

describe("closing", () => {
  const wire = useWire();

  test("requests in flight are answered, new ones are rejected, and every connection is closed", async () => {
    const { app, begun, finish } = await serve(wire, 2);
    // Fastify would otherwise abort a close after ten seconds.
    expect(app.initialConfig.pluginTimeout).toBe(0);
    const [idle, busy, pipelined, silent] = (await Promise.all(
      Array.from({ length: 4 }, () => wire.connect()),
    )) as [Connection, Connection, Connection, Connection];
    const probe = await wire.connect({ plain: true });
    idle.send(get("/livez"));
    await idle.answers(1);
    probe.send(get("/livez"));
    await probe.answers(1);
    busy.send(get("/slow"));
    pipelined.send(get("/slow"));
    await begun;

    const closed = app.close();
    await idle.untilClosed();
    await expect.poll(() => isRefused(wire.httpsPort)).toBe(true);
    // A new request on an open connection gets the usual error envelope.
    pipelined.send(get("/livez") + get("/integrations/locations"));
    finish();

    const [answer] = await busy.untilClosed();
    expect(answer).toMatchObject({ status: 200, body: '{"done":true}' });
    expect(answer?.headers["connection"]).toBe("close");
    const [first, ...more] = await pipelined.untilClosed();
    expect(first?.status).toBe(200);
    for (const { status } of more) expect(status).toBe(503);
    await silent.untilClosed();
    await closed;
    expect(await isRefused(wire.httpPort)).toBe(true);
  });
});

describe("closing with a health check on the plain port", () => {
  const wire = useWire();

  test('health checks answer "shutting down" while requests are in flight', async () => {
    const { app, begun, finish } = await serve(wire, 1);
    const busy = await wire.connect();
    busy.send(get("/slow"));
    await begun;
    const closed = app.close();
    await expect.poll(() => isRefused(wire.httpsPort)).toBe(true);
    const [ready] = await wire.say(get("/readyz"), { plain: true });
    expect(ready).toMatchObject({ status: 503, headers: { connection: "close" } });
    expect(JSON.parse(ready?.body ?? "")).toEqual({ status: "not ready", reason: "shutting down" });
    const [refused] = await wire.say(get("/docs/"), { plain: true });
    expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
    expect(JSON.parse(refused?.body ?? "")).toMatchObject({ success: false });
    finish();
    expect(await busy.untilClosed()).toMatchObject([{ status: 200 }]);
    await closed;
  });
});

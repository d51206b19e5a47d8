import { connect } from "node:net";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { useWire, type Connection } from "../../../testing/wire.js";
import { listenerTimeouts } from "./servers.js";

const wire = useWire({
  handshakeTimeout: 1_000,
  headersTimeout: 1_000,
  requestTimeout: 1_500,
  keepAliveTimeout: 300,
  connectionsCheckingInterval: 50,
});
const gatehouse = useApp({}, wire.listen);

const head = (key: string, length: number) =>
  `POST /integrations/accounts HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

test("the documented timeouts: handshake 10 s, headers 15 s, request 60 s, idle 65 s", () => {
  expect(listenerTimeouts).toMatchObject({
    handshakeTimeout: 10_000,
    headersTimeout: 15_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
  });
});

test("slow headers get 408, and the connection is closed", async () => {
  for (const plain of [false, true]) {
    const [answer] = await wire.say("GET /livez HTTP/1.1\r\nHost: loc", { plain });
    expect(answer?.status).toBe(408);
    expect(JSON.parse(answer?.body ?? "")).toMatchObject({ success: false, errors: [expect.any(String)] });
  }
});

test("a slow body gets 408, and nothing is imported", async () => {
  const { apiKey, organizationId } = await gatehouse.tenant();
  const body = JSON.stringify({ accounts: [{ tpReferenceId: "A-1", name: "Acme" }] });
  const connection = await wire.connect();
  connection.send(head(apiKey, body.length) + body.slice(0, -1));
  const [answer] = await connection.untilClosed();
  expect(answer?.status).toBe(408);
  connection.socket.write(body.slice(-1));
  const { rows } = await gatehouse.database.work.query("select from accounts where organization_id = $1", [
    organizationId,
  ]);
  expect(rows).toEqual([]);
});

test("a silent connection is closed before and after the handshake and between requests", async () => {
  const silent = connect(wire.httpsPort, "127.0.0.1").on("error", () => undefined);
  await new Promise((resolve) => silent.once("close", resolve));

  await wire.say("");
  await wire.say("", { plain: true });
  const answers = await wire.say("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(answers.map(({ status }) => status)).toEqual([200]);
});

test("other clients are served while slow clients wait", async () => {
  const { apiKey } = await gatehouse.tenant();
  const waiting: ReturnType<Connection["untilClosed"]>[] = [];
  // One handshake after the other: a hundred at once may exceed the timeout on a busy machine.
  for (let index = 0; index < 100; index += 1) {
    const connection = await wire.connect();
    connection.send(index % 2 === 0 ? "GET /livez HT" : head(apiKey, 100));
    waiting.push(connection.untilClosed());
  }
  const [served] = await wire.say(
    `GET /integrations/locations HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${apiKey}\r\nConnection: close\r\n\r\n`,
  );
  expect(served?.status).toBe(200);
  expect((await Promise.all(waiting)).flat().map(({ status }) => status)).toEqual(Array(100).fill(408));
});

test("a client that disconnects during its body causes no error in the service or its database", async () => {
  const { apiKey, organizationId } = await gatehouse.tenant();
  const connection = await wire.connect();
  connection.send(`${head(apiKey, 100)}{"accounts":`);
  const line = () => gatehouse.logged.find((entry) => entry["organizationId"] === organizationId);
  // The key is checked before the body is received; the client disconnects then.
  await expect
    .poll(async () => {
      const { rowCount } = await gatehouse.database.gate.query("select from rate_limits where bucket = $1", [
        `importAccounts:${organizationId}`,
      ]);
      return rowCount;
    })
    .toBe(1);
  connection.socket.destroy();
  await expect.poll(line).toMatchObject({ level: 30, outcome: "aborted", operation: "importAccounts" });
  const errors = gatehouse.logged.filter((entry) => Number(entry["level"]) >= 50);
  expect(errors).toEqual([]);
});

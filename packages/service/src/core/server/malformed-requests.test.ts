import { once } from "node:events";
import { METHODS } from "node:http";
import { connect } from "node:net";
import { maxBodyBytes } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { useWire, type Connection } from "../../../testing/wire.js";

const wire = useWire();
const gatehouse = useApp({}, wire.listen);

const requestIdShape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const post = (...headers: string[]) =>
  ["POST /integrations/accounts HTTP/1.1", "Host: localhost", ...headers, "", ""].join("\r\n");

test.each([
  ["no HTTP at all", "HELLO\r\n\r\n"],
  ["another protocol", "ANNOUNCE * RTSP/1.0\r\n\r\n"],
  ["another protocol with a path", "SETUP /livez RTSP/1.0\r\nHost: localhost\r\n\r\n"],
  ["an HTTP/1.1 request without a host", "GET /livez HTTP/1.1\r\n\r\n"],
  ["two hosts", "GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere\r\n\r\n"],
  ["an unknown method", "FETCH /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ["the HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["a header without a name", "GET /livez HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n"],
  ["a space before the colon", "GET /livez HTTP/1.1\r\nHost: localhost\r\nX-API-KEY : x\r\n\r\n"],
  ["a header with a control character", "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: a\u0000b\r\n\r\n"],
  ["two different lengths", `${post("Content-Length: 2", "Content-Length: 3")}{} `],
  ["a length that is not a number", `${post("Content-Length: 0x2")}{}`],
  ["an unknown transfer encoding", `${post("Transfer-Encoding: xchunked")}{}`],
  [
    "a transfer encoding that does not end with chunked",
    `${post("Transfer-Encoding: chunked, gzip")}0\r\n\r\n`,
  ],
  ["chunked before another encoding", `${post("Transfer-Encoding: chunked, identity")}0\r\n\r\n`],
  ["a chunk size that is not a number", `${post("Transfer-Encoding: chunked")}zz\r\n{}\r\n0\r\n\r\n`],
])("%s is answered 400 in the error envelope, and the connection is closed", async (_name, bytes) => {
  for (const plain of [false, true]) {
    const [answer, ...more] = await wire.say(bytes, { plain });
    expect(answer?.status).toBe(400);
    expect(answer?.headers).toMatchObject({
      connection: "close",
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-request-id": expect.stringMatching(requestIdShape),
    });
    expect(JSON.parse(answer?.body ?? "")).toEqual({
      success: false,
      message: expect.any(String),
      errors: [expect.any(String)],
      timestamp: expect.stringMatching(/Z$/),
    });
    expect(more).toEqual([]);
  }
});

test("Content-Length with Transfer-Encoding is rejected, so a second request cannot be smuggled", async () => {
  const smuggled = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";
  for (const headers of [
    ["Content-Length: 4", "Transfer-Encoding: chunked"],
    ["Transfer-Encoding: chunked", "Content-Length: 4"],
    ["Transfer-Encoding: chunked", "Transfer-encoding: identity", "Content-Length: 4"],
  ]) {
    const answers = await wire.say(`${post(...headers)}0\r\n\r\n${smuggled}`);
    expect(answers.map(({ status }) => status)).toEqual([400]);
  }
});

test("headers over 16 KB get 431 in the error envelope", async () => {
  for (const bytes of [
    `GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Filler: ${"a".repeat(20_000)}\r\n\r\n`,
    `GET /integrations/imports/${"a".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  ]) {
    const [answer] = await wire.say(bytes);
    expect(answer?.status).toBe(431);
    expect(JSON.parse(answer?.body ?? "")).toMatchObject({ success: false, errors: [expect.any(String)] });
  }
});

test.each([
  ["an unknown expectation", 417, "Expect: a-miracle"],
  ["an unknown expectation with a supported one", 417, "Expect: 100-continue, a-miracle"],
  ["a compressed transfer encoding", 501, "Transfer-Encoding: gzip, chunked", "0\r\n\r\n"],
])(
  "%s gets %i in the error envelope, and the connection is closed",
  async (_name, status, header, body = "") => {
    for (const plain of [false, true]) {
      const answers = await wire.say(post(header) + body + post(), { plain });
      expect(answers).toHaveLength(1);
      expect(answers[0]).toMatchObject({
        status,
        headers: { connection: "close", "x-request-id": expect.any(String) },
      });
      expect(JSON.parse(answers[0]?.body ?? "")).toMatchObject({
        success: false,
        errors: [expect.any(String)],
      });
    }
  },
);

test("a method without a route gets an ordinary error on both ports and logs no error", async () => {
  for (const plain of [false, true])
    for (const method of METHODS.filter(
      (name) => !["GET", "HEAD", "POST", "OPTIONS", "CONNECT"].includes(name),
    )) {
      const ask = (path: string) =>
        wire.say(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`, { plain });
      expect(await ask("/lead/submit"), method).toMatchObject([{ status: 405, headers: { allow: "POST" } }]);
      expect(await ask("/absent"), method).toMatchObject([{ status: 404 }]);
    }
  expect(gatehouse.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

test("plain HTTP on the TLS port gets no answer and one log line", async () => {
  const socket = connect(wire.httpsPort, "127.0.0.1");
  socket.on("error", () => {});
  let answer = "";
  socket.on("data", (bytes) => (answer += bytes.toString()));
  socket.write("GET /livez HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: secret\r\n\r\n");
  await once(socket, "close");
  expect(answer).not.toContain("HTTP");
  const line = gatehouse.logged.find(({ msg }) => msg === "plain HTTP request on the TLS port");
  expect(line).toMatchObject({ outcome: "httpsRequired", remoteAddress: "127.0.0.1" });
  expect(JSON.stringify(line)).not.toContain("secret");
});

test("pipelined requests are answered in order", async () => {
  const { apiKey } = await gatehouse.tenant();
  const get = (path: string, close = "") =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${apiKey}\r\n${close}\r\n`;
  const answers = await wire.say(
    get("/integrations/locations?pageSize=7") +
      get("/absent") +
      get("/integrations/imports?pageSize=3") +
      get("/livez", "Connection: close\r\n"),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 200]);
  expect(JSON.parse(answers[0]?.body ?? "")).toMatchObject({ pageSize: 7 });
  expect(JSON.parse(answers[2]?.body ?? "")).toMatchObject({ pageSize: 3 });
});

test("malformed bytes after a valid request do not affect its answer", async () => {
  const { apiKey } = await gatehouse.tenant();
  const good = `GET /integrations/locations HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${apiKey}\r\n\r\n`;
  const answers = await wire.say(`${good}HELLO\r\n\r\n`);
  expect(answers.map(({ status }) => status)).toEqual([200]);
});

test("extra bytes after the Content-Length are not a second request", async () => {
  const { apiKey } = await gatehouse.tenant();
  const answers = await wire.say(
    `${post("Content-Type: application/json", `X-API-KEY: ${apiKey}`, "Content-Length: 2")}{}{"accounts":[]}`,
  );
  expect(answers.map(({ status }) => status)).toEqual([400]);
  expect(JSON.parse(answers[0]?.body ?? "")).toMatchObject({ error: "accounts is required" });
});

test("Expect: 100-continue is answered after all checks except the body's", async () => {
  const { apiKey } = await gatehouse.tenant();
  for (const plain of [false, true]) {
    const connection = await wire.connect({ plain });
    const received = receivedBy(connection);
    const secure = plain ? ["X-Forwarded-Proto: https"] : [];
    const headers = [
      "Content-Type: application/json",
      "Content-Length: 2",
      "Expect: 100-continue",
      ...secure,
    ];
    connection.send(post(...headers, `X-API-KEY: ${apiKey}`));
    await expect.poll(received).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    connection.send("{}");
    expect(await connection.answers(1)).toMatchObject([{ status: 400 }]);
    connection.socket.destroy();
  }
});

test("100 Continue is not sent for a request that will be rejected", async () => {
  const { apiKey } = await gatehouse.tenant();
  for (const [status, length, key] of [
    [401, "2", "bad"],
    [413, String(maxBodyBytes + 1), apiKey],
  ] as const) {
    const connection = await wire.connect();
    const received = receivedBy(connection);
    connection.send(post(`X-API-KEY: ${key}`, `Content-Length: ${length}`, "Expect: 100-continue"));
    expect(await connection.untilClosed()).toMatchObject([{ status, headers: { connection: "close" } }]);
    expect(received()).not.toContain("100 Continue");
  }
});

function receivedBy(connection: Connection): () => string {
  let received = "";
  connection.socket.on("data", (bytes) => (received += bytes.toString("latin1")));
  return () => received;
}

test("a malformed path gets the same checks as any other", async () => {
  const { apiKey } = await gatehouse.tenant();
  const unknown = await gatehouse.send({
    url: "/integrations/imports/01a1dd0e-c298-72ae-9b8a-14211f028ea1",
    key: apiKey,
  });
  for (const reference of ["%", "%ZZ", "%ff", "%E0%A4%A", "a".repeat(8_000), "%00", "..%2f..", "__proto__"]) {
    const url = `/integrations/imports/${reference}`;
    const connection = await wire.connect();
    connection.send(`GET ${url} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    connection.send(`GET ${url} HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${apiKey}\r\n\r\n`);
    const [withoutKey, withKey] = await connection.answers(2);
    expect(withoutKey?.status, reference).toBe(401);
    expect(withKey?.status, reference).toBe(404);
    expect(JSON.parse(withKey?.body ?? "")).toEqual({ ...unknown.json, timestamp: expect.any(String) });
    connection.socket.destroy();
  }
  const [elsewhere] = await wire.say("GET /%ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect(elsewhere).toMatchObject({ status: 404, headers: { "x-request-id": expect.any(String) } });
});

test("an absolute URL is routed by its path", async () => {
  const { apiKey } = await gatehouse.tenant();
  const [answer] = await wire.say(
    `GET https://localhost/integrations/locations HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: ${apiKey}\r\nConnection: close\r\n\r\n`,
  );
  expect(answer?.status).toBe(200);
});

test("TRACE echoes nothing, CONNECT is rejected, and protocol upgrades are ignored", async () => {
  const secret = "X-API-KEY: not-to-be-echoed";
  const [trace] = await wire.say(
    `TRACE /livez HTTP/1.1\r\nHost: localhost\r\n${secret}\r\nConnection: close\r\n\r\n`,
  );
  expect(trace?.status).toBe(405);
  expect(trace?.body).not.toContain("not-to-be-echoed");
  expect(await wire.say("CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n")).toEqual([]);
  for (const upgrade of ["websocket", "h2c"]) {
    const headers = `Connection: Upgrade, close\r\nUpgrade: ${upgrade}\r\nSec-WebSocket-Key: x\r\nHTTP2-Settings: AAMAAABk`;
    const answers = await wire.say(`GET /livez HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`);
    expect(answers.map(({ status }) => status)).toEqual([200]);
  }
});

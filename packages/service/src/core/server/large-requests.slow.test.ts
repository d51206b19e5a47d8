import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { maxBodyBytes, maxLeadBytes } from "@gatehouse-parking/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { useWire } from "../../../testing/wire.js";

const wire = useWire({ lingerTimeout: 1_000 });
const gatehouse = useApp({}, wire.listen);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatehouse-large-"));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** A batch of one account whose body has exactly this many bytes. */
function batchOf(bytes: number, reference: string): string {
  const batch = JSON.stringify({ accounts: [{ tpReferenceId: reference, name: "Acme" }] });
  return batch + " ".repeat(bytes - batch.length);
}

function head(key: string, ...headers: string[]): string {
  return headOf("/integrations/accounts", key, ...headers);
}

function headOf(path: string, key: string, ...headers: string[]): string {
  return [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    "Content-Type: application/json",
    `X-API-KEY: ${key}`,
    ...headers,
    "",
    "",
  ].join("\r\n");
}

function inChunks(body: string, size = 65_536): string {
  let chunks = "";
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.slice(at, at + size);
    chunks += `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  }
  return `${chunks}0\r\n\r\n`;
}

/** @covers R198 */
test("a body of exactly 5 MiB is accepted; one more byte gets 413 with an empty body, with Content-Length or chunked", async () => {
  const { apiKey } = await gatehouse.tenant();
  for (const [name, say] of [
    ["declared", (body: string) => head(apiKey, `Content-Length: ${body.length}`) + body],
    ["streamed", (body: string) => head(apiKey, "Transfer-Encoding: chunked") + inChunks(body)],
  ] as const) {
    const [taken] = await wire.say(say(batchOf(maxBodyBytes, name)));
    expect(taken?.status, name).toBe(200);
    expect(JSON.parse(taken?.body ?? "")).toMatchObject({ results: [{ reference: name, status: 1 }] });

    const [refused] = await wire.say(say(batchOf(maxBodyBytes + 1, `${name} more`)));
    expect(refused?.status, name).toBe(413);
    expect(refused?.headers["content-length"]).toBe("0");
    expect(refused?.headers).not.toHaveProperty("content-type");
    expect(refused?.headers).toHaveProperty("x-request-id");
  }
});

/** @covers reading 50 */
test("a lead of exactly 256 KiB is accepted; one more byte gets 413 with an empty body, with Content-Length or chunked", async () => {
  const { apiKey, locationUuid } = await gatehouse.tenant();
  const lead = JSON.stringify({ email: "jo@example.com", locationUuid });
  for (const [name, say] of [
    ["declared", (body: string) => headOf("/lead/submit", apiKey, `Content-Length: ${body.length}`) + body],
    [
      "streamed",
      (body: string) => headOf("/lead/submit", apiKey, "Transfer-Encoding: chunked") + inChunks(body),
    ],
  ] as const) {
    const [taken] = await wire.say(say(lead.padEnd(maxLeadBytes, " ")));
    expect(taken?.status, name).toBe(200);
    const [refused] = await wire.say(say(lead.padEnd(maxLeadBytes + 1, " ")));
    expect(refused?.status, name).toBe(413);
    expect(refused?.headers["content-length"], name).toBe("0");
  }
});

test("a body with a Content-Length over the limit is rejected before it is sent", async () => {
  const { apiKey } = await gatehouse.tenant();
  const [answer] = await wire.say(head(apiKey, `Content-Length: ${maxBodyBytes + 1}`));
  expect(answer?.status).toBe(413);
});

test("an unused body is discarded, however large it is", async () => {
  const body = " ".repeat(4 * maxBodyBytes);
  const [answer] = await wire.say(headOf("/absent", "bad", `Content-Length: ${body.length}`) + body);
  expect(answer?.status).toBe(404);
});

/** @covers reading 34 */
test("an invalid key is rejected at once, before the body is read", async () => {
  const [answer] = await wire.say(head("bad", "Content-Length: 1000000000000"));
  expect(answer?.status).toBe(401);
});

/** A separate process, because a client in this one would never be interrupted while sending. */
const client = `
  import { readFile } from "node:fs/promises";
  import { request } from "node:https";
  const [port, caFile, key, count, bytes] = process.argv.slice(2);
  const ca = await readFile(caFile);
  const outcomes = {};
  for (let index = 0; index < Number(count); index += 1) {
    const isStreamed = index % 2 === 1;
    const headers = { "x-api-key": key, "content-type": "application/json" };
    if (!isStreamed) headers["content-length"] = bytes;
    const outcome = await new Promise((resolve) => {
      const sent = request({ host: "127.0.0.1", servername: "localhost", port, ca, method: "POST", path: "/integrations/accounts", headers, agent: false });
      sent.on("response", (answer) => answer.on("end", () => resolve(answer.statusCode)).resume());
      sent.on("error", (error) => resolve(error.code));
      for (let left = Number(bytes); left > 0; left -= 100_000) sent.write(Buffer.alloc(Math.min(left, 100_000), " "));
      sent.end();
    });
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  console.log(JSON.stringify(outcomes));
`;

async function outcomesOf(key: string, count: number, bytes: number): Promise<Record<string, number>> {
  const script = join(directory, "client.mjs");
  const caFile = join(directory, "ca.pem");
  await writeFile(script, client);
  await writeFile(caFile, wire.ca);
  const given = [script, String(wire.httpsPort), caFile, key, String(count), String(bytes)];
  const { stdout } = await promisify(execFile)(process.execPath, given);
  return JSON.parse(stdout) as Record<string, number>;
}

/** @covers R198 */
test("a client that is still sending when it is rejected always reads the answer", async () => {
  const { apiKey } = await gatehouse.tenant();
  expect(await outcomesOf(apiKey, 20, 12_000_000)).toEqual({ 413: 20 });
  expect(await outcomesOf("bad", 20, 4_000_000)).toEqual({ 401: 20 });
});

test("a client that never stops sending is disconnected", async () => {
  // Half open: the client keeps sending after the service has closed its side.
  const socket = connect({ port: wire.httpPort, host: "127.0.0.1", allowHalfOpen: true });
  const filler = Buffer.alloc(100_000);
  const sendMore = (): void => void socket.write(filler, (error) => error ?? setImmediate(sendMore));
  let received = "";
  socket.on("data", (bytes: Buffer) => (received += bytes.toString("latin1")));
  socket.on("error", () => undefined);
  socket.write(head("bad", "Content-Length: 1000000000000"), sendMore);
  await new Promise((resolve) => socket.once("close", resolve));
  expect(received).toMatch(/^HTTP\/1\.1 403 /);
});

import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";
import { sampleOf } from "../../../testing/metric-samples.js";
import { waitingForLocks } from "../../../testing/waiting-for-locks.js";
import { leastPace, smallBodyBytes } from "../server/receive.js";

const gatehouse = useApp();
const patiently = { timeout: 180_000 };

/** A request whose body never arrives. */
async function halfRequest(port: number, partner: Importer, length = 1000): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(
    [
      "POST /integrations/transactions HTTP/1.1",
      "Host: localhost",
      "X-Forwarded-Proto: https",
      `X-API-KEY: ${partner.apiKey}`,
      "Content-Type: application/json",
      `Content-Length: ${length}`,
      "",
      '{"transactions":[',
    ].join("\r\n"),
  );
  return socket;
}

function requestOf(partner: Importer, body: string): string {
  return [
    "POST /integrations/transactions HTTP/1.1",
    "Host: localhost",
    "X-Forwarded-Proto: https",
    `X-API-KEY: ${partner.apiKey}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}

/** How many of these requests have passed the gate. */
async function acceptedOf(partners: Importer[]): Promise<number> {
  const { rows } = await gatehouse.database.gate.query(
    "select sum(count)::integer as accepted from rate_limits, unnest(counts) as count where bucket = any ($1)",
    [partners.map(({ organizationId }) => `importTransactions:${organizationId}`)],
  );
  return rows[0].accepted;
}

async function listen(): Promise<number> {
  if (!gatehouse.app.server.listening) await gatehouse.app.listen({ port: 0, host: "127.0.0.1" });
  return (gatehouse.app.server.address() as { port: number }).port;
}

function placesOfSmallBodies(state: string): Promise<number | undefined> {
  return sampleOf(gatehouse.app, "gatehouse_import_places", { places: "small bodies", state });
}

/** A disconnected client must release its slot; otherwise the next import would wait forever. */
async function expectRoom(partner: Importer): Promise<void> {
  const answer = await partner.post("transactions", { transactions: [partner.transaction("T-1")] });
  expect(answer.status).toBe(200);
}

test("clients that disconnect while sending their body release their slots", async () => {
  const port = await listen();
  const partner = await importer(gatehouse);
  const sockets = await Promise.all(Array.from({ length: 10 }, () => halfRequest(port, partner)));
  await expect.poll(() => acceptedOf([partner])).toBe(10);
  for (const socket of sockets) socket.destroy();
  await expectRoom(partner);
});

test("imports that wait for another one on the same connection release their slots when it closes", async () => {
  const port = await listen();
  const partner = await importer(gatehouse);
  const blocker = await gatehouse.database.work.connect();
  await blocker.query("begin");
  await blocker.query("select from import_turns where organization_id = $1 for update", [
    partner.organizationId,
  ]);
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  const body = (id: string) => JSON.stringify({ transactions: [partner.transaction(id)] });
  socket.write(["P-1", "P-2", "P-3", "P-4"].map((id) => requestOf(partner, body(id))).join(""));
  // The first import is running; the imports behind it take the slots, but their answers cannot begin yet.
  await expect.poll(() => waitingForLocks(gatehouse)).toBeGreaterThan(0);
  const closed = once(socket, "close");
  socket.destroy();
  await closed;
  await blocker.query("rollback");
  blocker.release();
  for (let count = 0; count < 4; count += 1) await expectRoom(partner);
});

test("an import in progress keeps its slot after the client has disconnected", async () => {
  const port = await listen();
  const partner = await importer(gatehouse);
  const blocker = await gatehouse.database.work.connect();
  onTestFinished(() => blocker.release(true));
  await blocker.query("begin");
  await blocker.query("select from import_turns where organization_id = $1 for update", [
    partner.organizationId,
  ]);
  const sockets = await Promise.all(
    Array.from({ length: 5 }, async (_, number) => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      await once(socket, "connect");
      socket.write(
        requestOf(partner, JSON.stringify({ transactions: [partner.transaction(`G-${number}`)] })),
      );
      return socket;
    }),
  );
  await expect.poll(() => placesOfSmallBodies("taken")).toBe(3);
  await expect.poll(() => placesOfSmallBodies("waiting")).toBe(2);
  for (const socket of sockets) socket.destroy();
  // Waiting requests have left the queue. Requests with a slot keep their bodies until they have finished.
  await expect.poll(() => placesOfSmallBodies("waiting")).toBe(0);
  expect(await placesOfSmallBodies("taken")).toBe(3);
  await blocker.query("rollback");
  await expect.poll(() => placesOfSmallBodies("taken")).toBe(0);
  expect(await partner.count("transactions")).toBe(3);
});

test("bodies that never end block no other imports, of the same or of other organizations", async () => {
  const port = await listen();
  const partners = await Promise.all(Array.from({ length: 8 }, () => importer(gatehouse)));
  const sockets = await Promise.all(
    partners.flatMap((partner) => Array.from({ length: 4 }, () => halfRequest(port, partner))),
  );
  await expect.poll(() => acceptedOf(partners)).toBe(8 * 4);
  await expectRoom(partners[0] as Importer);
  await expectRoom(await importer(gatehouse));
  for (const socket of sockets) socket.destroy();
});

test("a large body that stalls gets 408, and its slot is released", async () => {
  const port = await listen();
  const partner = await importer(gatehouse);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const stalled = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const socket = await halfRequest(port, partner, 1024 * 1024);
      socket.write(" ".repeat(2 * smallBodyBytes));
      return socket;
    }),
  );
  const largeBatch = {
    transactions: [partner.transaction("T-1", { metadata: { note: "x".repeat(2 * smallBodyBytes) } })],
  };
  // Small bodies are not affected.
  await expectRoom(partner);
  const waiting = partner.post("transactions", largeBatch);
  const answers = stalled.map((socket) => once(socket, "data"));
  await expect.poll(() => vi.getTimerCount()).toBeGreaterThanOrEqual(3);
  vi.advanceTimersByTime(leastPace.everyMs);
  for (const [said] of await Promise.all(answers)) expect(String(said)).toMatch(/^HTTP\/1\.1 408 /);
  expect((await waiting).status).toBe(200);
  for (const socket of stalled) socket.destroy();
});

test("clients that disconnect during the key check never take a slot", async () => {
  const port = await listen();
  const partner = await importer(gatehouse);
  const blocker = await gatehouse.database.work.connect();
  await blocker.query("begin; lock table rate_limits in access exclusive mode");
  let arrived = 0;
  gatehouse.app.server.on("request", () => (arrived += 1));
  const sockets = await Promise.all(Array.from({ length: 4 }, () => halfRequest(port, partner)));
  await vi.waitFor(async () => {
    expect(arrived).toBe(4);
    // They share one query for their key, or wait for the query of the first one.
    const { rows } = await blocker.query(
      "select from pg_locks where not granted and relation = 'rate_limits'::regclass",
    );
    expect(rows).not.toHaveLength(0);
  }, patiently);
  const closed = sockets.map((socket) => once(socket, "close"));
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
  const connections = () =>
    new Promise((resolve) => gatehouse.app.server.getConnections((_, count) => resolve(count)));
  await expect.poll(connections).toBe(0);
  await blocker.query("rollback");
  blocker.release();
  await expectRoom(partner);
});

test("three large bodies are processed at a time, and small ones do not wait for them", async () => {
  const partners = await Promise.all(Array.from({ length: 5 }, () => importer(gatehouse)));
  const [small, ...large] = partners as [Importer, ...Importer[]];
  const blocker = await gatehouse.database.work.connect();
  await blocker.query("begin");
  // One organization at a time, because a cluster cannot lock rows of several at once.
  for (const { organizationId } of large)
    await blocker.query("select from import_turns where organization_id = $1 for update", [organizationId]);
  const batches = large.map((partner) =>
    partner.post("transactions", {
      transactions: [partner.transaction("T-1", { metadata: { note: "x".repeat(1024 * 1024) } })],
    }),
  );
  await expect.poll(() => waitingForLocks(gatehouse)).toBe(3);
  await expectRoom(small);
  expect(await waitingForLocks(gatehouse)).toBe(3);
  await blocker.query("rollback");
  blocker.release();
  for (const { status } of await Promise.all(batches)) expect(status).toBe(200);
});

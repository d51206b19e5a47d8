import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, inject, onTestFinished, test } from "vitest";
import { startFaultProxy } from "../../../testing/fault-proxy.js";
import { onMessages } from "../../../testing/postgres-messages.js";
import { primaryOf, splitHosts } from "./hosts.js";
import { openDatabase } from "./pool.js";

/** The discard port is closed. */
const closedPort = "127.0.0.1:9";
const server = new URL(inject("databaseServer"));
const connectionStringOf = (hosts: string): string => inject("databaseServer").replace(server.host, hosts);

test("a connection string with several hosts becomes one per host", () => {
  expect(splitHosts("postgres://user:p%40ss@one:5432,two/name?sslmode=require")).toEqual([
    "postgres://user:p%40ss@one:5432/name?sslmode=require",
    "postgres://user:p%40ss@two/name?sslmode=require",
  ]);
  expect(splitHosts("postgres://one/name")).toEqual(["postgres://one/name"]);
});

test("the pool finds the server that accepts writes at the first attempt", async () => {
  const several = `${closedPort},${server.host}`;
  expect(await primaryOf(connectionStringOf(several))).toBe(inject("databaseServer"));
  const database = openDatabase({ connectionString: connectionStringOf(several), workConnections: 2 });
  onTestFinished(() => database.close());
  const asked = Promise.all([1, 2, 3].map(() => database.work.query("select 1 as one")));
  expect((await asked).map(({ rows }) => rows)).toEqual(Array.from({ length: 3 }, () => [{ one: 1 }]));
});

test("a server that accepts connections but never answers delays requests without failing them", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const hosts = `127.0.0.1:${(silent.address() as AddressInfo).port},${server.host}`;
  const database = openDatabase({ connectionString: connectionStringOf(hosts), workConnections: 2 });
  onTestFinished(() => database.close());
  expect((await database.work.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("without a server that accepts writes, a request fails with the servers' errors", async () => {
  const database = openDatabase({
    connectionString: connectionStringOf(`${closedPort},${closedPort}`),
    workConnections: 2,
  });
  onTestFinished(() => database.close());
  await expect(database.work.query("select 1")).rejects.toThrow("ECONNREFUSED");
});

test("a server that disconnects during the check fails that connection, not the process", async () => {
  const proxy = await startFaultProxy(inject("databaseServer"));
  onTestFinished(() => proxy.close());
  const { host } = new URL(proxy.connectionString);
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  process.on("uncaughtExceptionMonitor", note);
  onTestFinished(() => void process.off("uncaughtExceptionMonitor", note));
  const database = openDatabase({
    connectionString: connectionStringOf(`${host},${closedPort}`),
    workConnections: 2,
  });
  onTestFinished(() => database.close());
  // The first query searches for the primary; the second is the check of a new connection.
  proxy.spoil(2, "cut before", false);
  const { rows } = await database.work.query("select 1 as one");
  expect(proxy.heal().spoiled).toBe(1);
  expect(rows).toEqual([{ one: 1 }]);
  expect(uncaught).toEqual([]);
});

/** A fake server that accepts writes, on this timeline, and answers after a delay. Returns its host. */
async function startStandIn(timeline: number, afterMs: number): Promise<string> {
  const segment = Buffer.from(`${String(timeline).padStart(8, "0")}0000000000000001`);
  const ready = message("Z", Buffer.from("I"));
  const answer = Buffer.concat([
    message(
      "T",
      [0, 1],
      Buffer.from("segment\0"),
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0],
    ),
    message("D", [0, 1, 0, 0, 0, segment.length], segment),
    message("C", Buffer.from("SELECT 1\0")),
    ready,
  ]);
  const standIn = createServer((socket) => {
    socket.on("error", () => undefined);
    onMessages(socket, { hasStartup: true }, (_content, letter) => {
      if (letter === "") socket.write(Buffer.concat([message("R", [0, 0, 0, 0]), ready]));
      if (letter === "Q") setTimeout(() => socket.write(answer), afterMs);
    });
  }).listen(0, "127.0.0.1");
  await once(standIn, "listening");
  onTestFinished(() => void standIn.close());
  return `127.0.0.1:${(standIn.address() as AddressInfo).port}`;
}

function message(letter: string, ...parts: (Buffer | number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

test("before a primary is known, slow servers are awaited: a former primary that is back is not used", async () => {
  const former = await startStandIn(1, 0);
  const promoted = await startStandIn(2, 2_500);
  expect(await primaryOf(connectionStringOf(`${former},${promoted}`))).toBe(connectionStringOf(promoted));
});

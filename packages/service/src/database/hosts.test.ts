import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, inject, onTestFinished, test } from "vitest";
import { startFaultProxy } from "../../testing/fault-proxy.js";
import { primaryOf, splitHosts } from "./hosts.js";
import { openDatabase } from "./pool.js";

/** Nobody listens on the discard port. */
const nobody = "127.0.0.1:9";
const server = new URL(inject("databaseServer"));
const connectionStringOf = (hosts: string): string => inject("databaseServer").replace(server.host, hosts);

test("a connection string with several hosts is one for each host", () => {
  expect(splitHosts("postgres://user:p%40ss@one:5432,two/name?sslmode=require")).toEqual([
    "postgres://user:p%40ss@one:5432/name?sslmode=require",
    "postgres://user:p%40ss@two/name?sslmode=require",
  ]);
  expect(splitHosts("postgres://one/name")).toEqual(["postgres://one/name"]);
});

test("of several servers the one that accepts writes is used, and a pool finds it without failing first", async () => {
  const several = `${nobody},${server.host}`;
  expect(await primaryOf(connectionStringOf(several))).toBe(inject("databaseServer"));
  const database = openDatabase({ connectionString: connectionStringOf(several), workConnections: 2 });
  onTestFinished(() => database.close());
  const asked = Promise.all([1, 2, 3].map(() => database.work.query("select 1 as one")));
  expect((await asked).map(({ rows }) => rows)).toEqual(Array.from({ length: 3 }, () => [{ one: 1 }]));
});

test("a server that takes connections and never answers costs time, but no request", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const hosts = `127.0.0.1:${(silent.address() as AddressInfo).port},${server.host}`;
  const database = openDatabase({ connectionString: connectionStringOf(hosts), workConnections: 2 });
  onTestFinished(() => database.close());
  expect((await database.work.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("with no server that accepts writes a request fails, with what the servers said", async () => {
  const database = openDatabase({
    connectionString: connectionStringOf(`${nobody},${nobody}`),
    workConnections: 2,
  });
  onTestFinished(() => database.close());
  await expect(database.work.query("select 1")).rejects.toThrow("ECONNREFUSED");
});

test("a server that goes while a new connection asks what it is costs that connection, and not the process", async () => {
  const proxy = await startFaultProxy(inject("databaseServer"));
  onTestFinished(() => proxy.close());
  const { host } = new URL(proxy.connectionString);
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  process.on("uncaughtExceptionMonitor", note);
  onTestFinished(() => void process.off("uncaughtExceptionMonitor", note));
  const database = openDatabase({
    connectionString: connectionStringOf(`${host},${nobody}`),
    workConnections: 2,
  });
  onTestFinished(() => database.close());
  // The first step is the search for the primary, the second what a connection to it asks at its beginning.
  proxy.spoil(2, "cut before", false);
  const { rows } = await database.work.query("select 1 as one");
  expect(proxy.heal().spoiled).toBe(1);
  expect(rows).toEqual([{ one: 1 }]);
  expect(uncaught).toEqual([]);
});

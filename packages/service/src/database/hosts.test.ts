import { expect, inject, test } from "vitest";
import { primaryOf, splitHosts } from "./hosts.js";
import { openDatabase } from "./pool.js";

/** Nobody listens on the discard port. */
const nobody = "127.0.0.1:9";

test("a connection string with several hosts is one for each host", () => {
  expect(splitHosts("postgres://user:p%40ss@one:5432,two/name?sslmode=require")).toEqual([
    "postgres://user:p%40ss@one:5432/name?sslmode=require",
    "postgres://user:p%40ss@two/name?sslmode=require",
  ]);
  expect(splitHosts("postgres://one/name")).toEqual(["postgres://one/name"]);
});

test("of several servers the one that accepts writes is used, and a pool finds it by itself", async () => {
  const server = new URL(inject("databaseServer"));
  const several = inject("databaseServer").replace(server.host, `${nobody},${server.host}`);
  expect(await primaryOf(several)).toBe(inject("databaseServer"));

  const database = openDatabase({ connectionString: several, workConnections: 2 });
  await expect(database.work.query("select 1")).rejects.toThrow("ECONNREFUSED");
  expect((await database.work.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await database.close();
});

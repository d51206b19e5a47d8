import pg from "pg";
import { expect, test } from "vitest";
import { splitHosts } from "../database/hosts.js";
import { problemsOf } from "../../../testing/config-problems.js";
import { readConfig } from "../config.js";

/** The driver's connection settings for each server in the URL. */
function connections(environment: Record<string, string>) {
  const { databaseUrl = "" } = readConfig(environment);
  return splitHosts(databaseUrl).map((connectionString) => {
    const { user, password, host, port, database } = new pg.Client({ connectionString });
    return { user, password, host, port, database };
  });
}

test.each(["a/b", "a@b", "a#b", "a?b", "a%b", "a%zzb", "a%ff", "a@b/c", "1/2#3", "a/@b"])(
  "a password with an unencoded URL character is rejected and not repeated: %s",
  (password) => {
    for (const hosts of ["db", "db1:5432,db2:5432"]) {
      const problems = problemsOf({ DATABASE_URL: `postgres://gatehouse:${password}@${hosts}/gatehouse` });
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(/^DATABASE_URL .*percent-encode it.*GATEHOUSE_DATABASE_PASSWORD/);
      expect(problems[0]).not.toContain(password);
    }
  },
);

const difficult = "/ @+#?%:&=' %41é%%";

test("GATEHOUSE_DATABASE_PASSWORD takes any password unencoded and passes it to the driver unchanged", () => {
  for (const hosts of ["db:5432", "db:5432,standby:5433"]) {
    const found = connections({
      DATABASE_URL: `postgres://gatehouse@${hosts}/parking?application_name=x`,
      GATEHOUSE_DATABASE_PASSWORD: difficult,
    });
    expect(found[0]).toEqual({
      user: "gatehouse",
      password: difficult,
      host: "db",
      port: 5432,
      database: "parking",
    });
    expect(found.at(-1)?.password).toBe(difficult);
    expect(found).toHaveLength(hosts.split(",").length);
  }
});

test("the URL accepts a percent-encoded password, and + and : need no encoding", () => {
  for (const [written, password] of [
    [encodeURIComponent(difficult), difficult],
    ["a+b:c", "a+b:c"],
  ])
    expect(connections({ DATABASE_URL: `postgres://gatehouse:${written}@db/x` })[0]).toMatchObject({
      password,
    });
});

test("a password in both places is an error", () => {
  const both = { GATEHOUSE_DATABASE_PASSWORD: "one" };
  for (const DATABASE_URL of ["postgres://u:secret@db/x", "postgres://u@db/x?password=secret"])
    expect(problemsOf({ ...both, DATABASE_URL })).toEqual([
      "DATABASE_URL has a password, and GATEHOUSE_DATABASE_PASSWORD is set too. Unset one of them",
    ]);
  expect(problemsOf(both)).toEqual(["GATEHOUSE_DATABASE_PASSWORD is set, but DATABASE_URL is not"]);
});

test.each([
  "postgres://db:port/x",
  "postgres://db:99999/x",
  "postgres://db1,,db2/x",
  "postgres://db/x#fragment",
  "postgres://[::1/x",
])("what is no address gets a sentence: %s", (DATABASE_URL) => {
  expect(problemsOf({ DATABASE_URL })).toEqual([
    "DATABASE_URL must look like postgres://user@host:5432/name",
  ]);
});

test.each([
  ["postgresql://db/x", { host: "db" }],
  ["postgres://[::1]:5433/x", { host: "::1", port: 5433 }],
  ["postgres://u@/x?host=/run/postgresql", { host: "/run/postgresql", user: "u" }],
  ["postgres://%2Frun%2Fpostgresql/x", { host: "/run/postgresql" }],
  ["  postgres://db/x\n", { host: "db", database: "x" }],
])("other ways to name a server stay possible: %s", (DATABASE_URL, expected) => {
  expect(connections({ DATABASE_URL })[0]).toMatchObject(expected);
});

test("an sslmode keeps its meaning across driver releases, and an unknown one is rejected", () => {
  const read = (query: string) => readConfig({ DATABASE_URL: `postgres://a,b/x?${query}` }).databaseUrl;
  for (const mode of ["prefer", "require", "verify-ca", "verify-full"])
    expect(read(`connect_timeout=3&sslmode=${mode}&x=y`)).toBe(
      "postgres://a,b/x?connect_timeout=3&sslmode=verify-full&x=y",
    );
  for (const query of ["sslmode=disable", "sslmode=no-verify", "uselibpqcompat=true&sslmode=require"])
    expect(read(query)).toBe(`postgres://a,b/x?${query}`);
  expect(problemsOf({ DATABASE_URL: "postgres://a/x?sslmode=on" })).toEqual([
    "DATABASE_URL has sslmode=on; it must be one of disable, no-verify, prefer, require, verify-ca, verify-full",
  ]);
});

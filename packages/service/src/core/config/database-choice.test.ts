import { expect, test } from "vitest";
import { problemsOf } from "../../../testing/config-problems.js";
import { readConfig } from "../config.js";

const whatToSet = /Set DATABASE_URL=postgres:.* or GATEHOUSE_EMBEDDED_DATABASE=on/;

test.each([
  [{ DATABASE_URL: "" }, /^DATABASE_URL is set but empty/],
  [{ DATABASE_URL: " \n" }, /^DATABASE_URL is set but empty/],
  [{ DATABASE_URL_FILE: "" }, /^DATABASE_URL_FILE is set but empty/],
  [{ DATABASE_URI: "postgres://db/x" }, /^DATABASE_URI is set, but DATABASE_URL/],
  [{ DATABSE_URL: "postgres://db/x" }, /^DATABSE_URL is set/],
  [{ DATABASEURL: "db" }, /^DATABASEURL is set/],
  [{ database_url: "postgres://db/x" }, /^database_url is set/],
  [{ DATABASE_URL_FIEL: "/run/secrets/url" }, /^DATABASE_URL_FIEL is set/],
  [{ POSTGRES_URL: "postgres://db/x" }, /^POSTGRES_URL is set/],
  [{ PG_URL: "postgresql://db/x" }, /^PG_URL is set/],
  [{ DB_DSN: "postgres://db/x" }, /^DB_DSN is set/],
  [{ PGHOST: "db" }, /^PGHOST is set/],
  [{ GATEHOUSE_EMBEDDED_DATABASE: "off" }, /^GATEHOUSE_EMBEDDED_DATABASE is off and DATABASE_URL is not set/],
  [{ GATEHOUSE_EMBEDDED_DATABASE: "off", DATABASE_URL: "" }, /^DATABASE_URL is set but empty/],
])("%o is an error and not a new, empty database", (environment, problem) => {
  const problems = problemsOf(environment as unknown as Record<string, string>);
  expect(problems).toEqual([expect.stringMatching(problem)]);
  expect(problems[0]).toMatch(whatToSet);
});

test.each([
  {},
  { DATABASE_PORT: "tcp://10.0.0.1:5432", DATABASE_SERVICE_HOST: "10.0.0.1" },
  { DATABASE_NAME: "x", DATABASE_USER: "y", PGPASSWORD: "z", PGDATABASE: "x" },
  { DB_URL: "mysql://db/x", POSTGRES_URL: "", DATABASE_URI: " " },
  { ["X".repeat(100_000)]: "y" },
])("variables unrelated to PostgreSQL leave the embedded database in use", (environment) => {
  expect(readConfig(environment as Record<string, string>).databaseUrl).toBeUndefined();
});

test("GATEHOUSE_EMBEDDED_DATABASE=on selects the embedded database whatever else is set", () => {
  for (const other of [{ PGHOST: "db" }, { DATABASE_URL: "" }, { DATABASE_URI: "postgres://db/x" }])
    expect(problemsOf({ GATEHOUSE_EMBEDDED_DATABASE: "on", ...other })).toEqual([]);
});

test("choosing both databases is an error, and DATABASE_URL works with the embedded database off", () => {
  const DATABASE_URL = "postgres://db/x";
  expect(problemsOf({ DATABASE_URL, GATEHOUSE_EMBEDDED_DATABASE: "on" })).toEqual([
    "DATABASE_URL is set and GATEHOUSE_EMBEDDED_DATABASE is on. Choose one: unset the other",
  ]);
  expect(problemsOf({ DATABASE_URL, GATEHOUSE_EMBEDDED_DATABASE: "off", PGHOST: "elsewhere" })).toEqual([]);
});

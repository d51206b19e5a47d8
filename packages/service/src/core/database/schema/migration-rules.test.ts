import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { brokenRules } from "../../../../testing/migration-rules.js";
import { lastOfFirstRelease } from "./ledger.js";
import { migrationFolders, readHeader, readMigrations } from "./migration-files.js";

const { version: previousRelease } = JSON.parse(
  await readFile(new URL("../../../../../../acceptance/rigs/previous-release.json", import.meta.url), "utf8"),
) as { version: string };

test("every migration since the first release can be applied while the previous release runs", async () => {
  const migrations = (await readMigrations()).slice(lastOfFirstRelease);
  expect(migrations.length).toBeGreaterThan(0);
  for (const migration of migrations)
    expect(brokenRules(migration, previousRelease), migration.name).toEqual([]);
});

test("the core's migrations can be applied without those of features", async () => {
  const [core] = await migrationFolders();
  const [all, own] = await Promise.all([readMigrations(), readMigrations([core as URL])]);
  expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1));
  expect(own.length).toBeLessThan(all.length);
});

const brokenBy = (header: string, sql: string, previous = "1.1.0") => {
  const name = "0010_next.sql";
  const text = `${header}\n${sql}`;
  return brokenRules({ number: 10, name, sql: text, checksum: "", ...readHeader(10, name, text) }, previous);
};
const expand = "-- phase: expand";
const contract = "-- phase: contract; minimum release 1.1.0";
const outside = "\n-- transaction: none";

test.each([
  ["create table a (b int not null unique); create unique index a_by_b on a (b)"],
  ["alter table leads add column language text"],
  ["alter table leads add column seen_at timestamptz not null default now()"],
  ["alter table leads add column tags text[] default '{}' not null"],
  ["update leads set language = 'en'; comment on column leads.language is 'drop; rename'"],
])("adding is allowed: %s", (sql) => {
  expect(brokenBy(expand, sql)).toEqual([]);
  expect(brokenBy(contract, sql)).toEqual([]);
});

test.each([
  ["alter table leads drop column slug"],
  ["drop table leads"],
  ["alter table leads alter column slug set not null"],
  ["alter table leads add constraint a check (slug <> '') not valid"],
])("taking away and demanding is for a contract migration: %s", (sql) => {
  expect(brokenBy(expand, sql)).toEqual([expect.stringMatching(/^not allowed in expand: /)]);
  expect(brokenBy(contract, sql)).toEqual([]);
});

test.each([
  ["alter table leads rename column slug to path", /not allowed/],
  ["alter table leads rename to visits", /not allowed/],
  ["alter table leads alter column slug type varchar(10)", /not allowed/],
  ["alter table leads add column a text, drop column slug", /more than one change/],
  ["create index leads_by_slug on leads (slug)", /not allowed/],
  ["create index concurrently if not exists leads_by_slug on leads (slug)", /cannot run in a transaction/],
  ["alter table leads add column a int unique", /must not be required/],
  ["alter table leads add column a int references users (id)", /must not be required/],
  ["alter table leads add column a int not null", /gives no value/],
  ["alter table leads add column a uuid default gen_random_uuid()", /rewrites every row/],
  ["truncate leads", /not allowed/],
])("no migration may: %s", (sql, problem) => {
  for (const header of [expand, contract])
    expect(brokenBy(header, sql)).toEqual([expect.stringMatching(problem)]);
});

test("a migration outside a transaction is one repeatable statement", () => {
  const index = "create index concurrently if not exists leads_by_slug on leads (slug)";
  expect(brokenBy(expand + outside, index)).toEqual([]);
  expect(brokenBy(expand + outside, `${index}; ${index}`)).toEqual([expect.stringMatching(/more than one/)]);
  expect(brokenBy(expand + outside, "alter table leads add column a int")).toEqual([
    expect.stringMatching(/must run in a transaction/),
  ]);
  expect(brokenBy(contract + outside, "drop index concurrently if exists leads_by_slug")).toEqual([]);
});

test("a minimum release never excludes the previous release", () => {
  const sql = "alter table leads drop column slug";
  expect(brokenBy(contract, sql, "1.2.0")).toEqual([]);
  expect(brokenBy(contract, sql, "1.0.5")).toEqual([expect.stringMatching(/shuts the previous release out/)]);
});

test.each([
  "create table a ()",
  "-- phase: contract\ncreate table a ()",
  "-- phase: contract; minimum release 2",
])("a migration that does not say what it is, is refused: %j", (sql) => {
  expect(() => readHeader(10, "0010_next.sql", sql)).toThrow("does not say its phase");
});

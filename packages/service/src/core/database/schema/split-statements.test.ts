import { expect, test } from "vitest";
import { readMigrations } from "./migration-files.js";
import { splitStatements } from "./split-statements.js";

test.each([
  ["nothing", " \n-- only; a comment\n/* and; another */;;", []],
  ["a comment before a statement", "-- a; b\nselect 1;", ["-- a; b\nselect 1"]],
  ["a comment at the end", "select 1; -- done;", ["select 1"]],
  [
    "comments in comments",
    "select /* a /* ; */ ; */ 1; select 2",
    ["select /* a /* ; */ ; */ 1", "select 2"],
  ],
  ["strings", "select ';', 'it''s;'; select 2", ["select ';', 'it''s;'", "select 2"]],
  ["a backslash that means nothing", "select '\\'; select 2", ["select '\\'", "select 2"]],
  [
    "a backslash that does",
    "select E'it''s \\';', e'\\\\'; select 2",
    ["select E'it''s \\';', e'\\\\'", "select 2"],
  ],
  ["a name that ends in e", "select name'\\'; select 2", ["select name'\\'", "select 2"]],
  ["quoted names", 'select 1 as "a;""b"; select 2', ['select 1 as "a;""b"', "select 2"]],
  ["dollar quotes", "do $$ begin; $a$ end $$; select 2", ["do $$ begin; $a$ end $$", "select 2"]],
  ["dollar quotes with a name", "do $a_1$ x; $$; $a_1$; select 2", ["do $a_1$ x; $$; $a_1$", "select 2"]],
  ["parameters and dollars in names", "select $1, a$b$c; select 2", ["select $1, a$b$c", "select 2"]],
  [
    "parentheses",
    "create rule r as on insert to a do (x; y); select 2",
    ["create rule r as on insert to a do (x; y)", "select 2"],
  ],
])("%s", (_what, sql, statements) => {
  expect(splitStatements(sql)).toEqual(statements);
});

test.each([
  "select 'a",
  'select "a',
  "select $$ a",
  "/* a",
  "select (1",
  "create function f() begin atomic select 1; end",
])("%j is rejected", (sql) => {
  expect(() => splitStatements(sql)).toThrow(/of a migration|A migration/);
});

test("our own migrations are split without loss", async () => {
  for (const { sql } of await readMigrations()) {
    const statements = splitStatements(sql);
    expect(statements.length).toBeGreaterThan(0);
    const withoutEnds = (text: string) => text.replaceAll(/[;\s]/g, "");
    expect(withoutEnds(sql).startsWith(withoutEnds(statements.join("")))).toBe(true);
  }
});

import { expect, test } from "vitest";
import { statementName } from "./statements.js";

test.each([
  [{ name: "find-transactions", text: "select secret from secrets" }, "find-transactions"],
  ["begin", "begin"],
  ["select from import_runs where organization_id = $1", "select import_runs"],
  [{ text: "\n  insert into leads (id, name) values ($1, 'Jane')" }, "insert leads"],
  ["update users set email = 'jane@example.com'", "update users"],
  ["delete from sessions where token_hash = $1", "delete sessions"],
  ["copy transactions (id, amount) from stdin", "copy transactions"],
  ["rollback to savepoint part; release savepoint part", "rollback"],
  ["select count(*) from (select id from accounts where name = 'Jane') as found", "select accounts"],
  ["select 'Jane'", "select"],
])("the span of %j is named %s, without values or conditions", (statement, name) => {
  expect(statementName(statement)).toBe(name);
});

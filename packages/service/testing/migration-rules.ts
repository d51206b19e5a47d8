import type { Migration } from "../src/core/database/schema/migration-files.js";
import { isOlderRelease } from "../src/core/database/schema/release.js";
import { splitStatements } from "../src/core/database/schema/split-statements.js";

/**
 * Statements that a migration may use while the previous release still runs (docs/how-to/upgrade.md). All others are
 * rejected, so that a new kind of statement has to be considered here.
 */
const newTable = /^create table (?:if not exists )?(\w+)/;
const harmless = [
  newTable,
  /^create index concurrently if not exists \w+ on \w+/,
  /^alter table \w+ add column \w+ /,
  /^alter table \w+ alter column \w+ set (?:default|statistics|storage|compression)\b/,
  /^(?:insert into|update|comment on|analyze) /,
];
/** Statements that remove something or add a constraint, allowed once no running release depends on the old state. */
const lastSteps = [
  /^drop (?:table|index concurrently if exists) \w+$/,
  /^alter table \w+ drop (?:column|constraint) \w+$/,
  /^alter table \w+ alter column \w+ (?:set|drop) not null$/,
  /^alter table \w+ alter column \w+ drop default$/,
  /^alter table \w+ add constraint \w+ .* not valid$/,
  /^alter table \w+ validate constraint \w+$/,
  /^create unique index concurrently if not exists \w+ on \w+/,
  /^delete from /,
];
const indexOfNewTable = /^create (?:unique )?index \w+ on (\w+)/;
const repeatable =
  /^(?:create (?:unique )?index concurrently if not exists|drop index concurrently if exists) /;
/** Old releases do not know the column, or checking and filling it in takes an exclusive lock. */
const demand = / (?:references|unique|primary|check|generated)\b/;
/** Every row would be rewritten under an exclusive lock. Only constants and now() are free. */
const costlyDefault = / default (?!now\(\))\w{1,63}\(/;

/** The problems of a migration; `previousRelease` still runs while it is applied. */
export function brokenRules(migration: Migration, previousRelease: string): string[] {
  const { phase, minimumRelease, isTransactional } = migration;
  const statements = splitStatements(migration.sql).map(plainText);
  const newTables = new Set(statements.flatMap((text) => newTable.exec(text)?.[1] ?? []));
  const allowed = phase === "expand" ? harmless : [...harmless, ...lastSteps];
  const broken = statements.flatMap((text) => {
    const isOnNewTable = newTables.has(indexOfNewTable.exec(text)?.[1] ?? "");
    if (!isOnNewTable && !allowed.some((rule) => rule.test(text)))
      return [`not allowed in ${phase}: ${text}`];
    if (/^alter table .*, (?:add|alter|drop|rename|set|validate) /.test(text))
      return [`more than one change in a statement: ${text}`];
    const isColumn = /^alter table \w+ add column /.test(text);
    if (isColumn && demand.test(text)) return [`a new column must not be required: ${text}`];
    if (isColumn && costlyDefault.test(text)) return [`rewrites every row: ${text}`];
    if (isColumn && text.includes(" not null") && !text.includes(" default "))
      return [`the previous release gives no value: ${text}`];
    if (repeatable.test(text) === isTransactional)
      return [`${isTransactional ? "cannot run" : "must run"} in a transaction: ${text}`];
    return [];
  });
  if (!isTransactional && statements.length !== 1)
    broken.push("more than one statement outside a transaction");
  if (minimumRelease !== undefined && isOlderRelease(previousRelease, minimumRelease))
    broken.push(`shuts the previous release out: its minimum is ${minimumRelease}`);
  return broken;
}

/** In lower case, without comments, strings and repeated spaces. */
function plainText(statement: string): string {
  return statement
    .replaceAll(/--[^\n]*/g, " ")
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

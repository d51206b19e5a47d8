import type { Migration } from "../src/core/database/schema/migration-files.js";
import { isOlderRelease } from "../src/core/database/schema/release.js";
import { splitStatements } from "../src/core/database/schema/split-statements.js";

/**
 * What a migration may do while the release before it still runs (docs/how-to/upgrade.md). A statement that is none of
 * these is refused, so that whoever needs another has to think about it here.
 */
const newTable = /^create table (?:if not exists )?(\w+)/;
const harmless = [
  newTable,
  /^create index concurrently if not exists \w+ on \w+/,
  /^alter table \w+ add column \w+ /,
  /^alter table \w+ alter column \w+ set (?:default|statistics|storage|compression)\b/,
  /^(?:insert into|update|comment on|analyze) /,
];
/** What takes something away, or demands something new, once no release needs or lacks it any more. */
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
/** Old releases do not know it, or it is checked and filled in under a lock that lets nobody in. */
const demand = / (?:references|unique|primary|check|generated)\b/;
/** Every row would be written anew, under a lock that lets nobody in: only constants and now() cost nothing. */
const costlyDefault = / default (?!now\(\))\w{1,63}\(/;

/** Everything that is wrong with a migration; `previousRelease` is the one that still runs while it is applied. */
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
    if (isColumn && demand.test(text)) return [`a new column demands nothing: ${text}`];
    if (isColumn && costlyDefault.test(text)) return [`writes every row anew: ${text}`];
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

/** In lower case, without comments, strings and more than one space at a time. */
function plainText(statement: string): string {
  return statement
    .replaceAll(/--[^\n]*/g, " ")
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

import { OperatorError } from "../../operator-error.js";

/**
 * Splits an SQL file into statements. Sent together, they would be one implicit transaction block, which PostgreSQL
 * does not allow for some statements and Citus for others. Ignores semicolons in comments, strings, quoted names,
 * dollar quotes and parentheses. Function bodies must be dollar quoted, not BEGIN ATOMIC.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let depth = 0;
  let hasContent = false;
  const end = (at: number): void => {
    if (hasContent) statements.push(sql.slice(start, at).trim());
    start = at + 1;
    hasContent = false;
  };
  for (let at = 0; at < sql.length;) {
    const character = sql[at] as string;
    const next = endOfComment(sql, at);
    if (next !== undefined) {
      at = next;
      continue;
    }
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === ";" && depth === 0) end(at);
    else if (character.trim() !== "") hasContent = true;
    at = endOfQuoted(sql, at) ?? at + 1;
  }
  end(sql.length);
  if (depth !== 0) throw new OperatorError("The parentheses of a migration do not match.");
  if (statements.some((statement) => /\bbegin\s+atomic\b/i.test(statement)))
    throw new OperatorError("A migration writes a function body as $$ ... $$, not as BEGIN ATOMIC.");
  return statements;
}

/** The end of the comment that begins here. Undefined: none does. Block comments can be nested. */
function endOfComment(sql: string, at: number): number | undefined {
  if (sql.startsWith("--", at)) {
    const line = sql.indexOf("\n", at);
    return line === -1 ? sql.length : line;
  }
  if (!sql.startsWith("/*", at)) return undefined;
  let depth = 0;
  for (let inside = at; inside < sql.length; inside += 1) {
    if (sql.startsWith("/*", inside)) depth += 1;
    else if (sql.startsWith("*/", inside)) depth -= 1;
    else continue;
    inside += 1;
    if (depth === 0) return inside + 1;
  }
  throw new OperatorError("A comment of a migration has no end.");
}

const dollarTag = /\$(?:[A-Za-z_]\w*)?\$/y;
const isPartOfName = /[\w$]/;

/** The end of the string, quoted name or dollar quote that begins here. Undefined: none does. */
function endOfQuoted(sql: string, at: number): number | undefined {
  const quote = sql[at];
  if (quote === "'" || quote === '"') {
    const hasEscapes = quote === "'" && /(?:^|[^\w$])[eE]$/.test(sql.slice(Math.max(0, at - 2), at));
    for (let inside = at + 1; inside < sql.length; inside += 1) {
      if (hasEscapes && sql[inside] === "\\") inside += 1;
      else if (sql[inside] === quote) {
        if (sql[inside + 1] !== quote) return inside + 1;
        inside += 1;
      }
    }
    throw new OperatorError("A string of a migration has no end.");
  }
  if (quote !== "$" || isPartOfName.test(sql[at - 1] ?? "")) return undefined;
  dollarTag.lastIndex = at;
  const [tag] = dollarTag.exec(sql) ?? [];
  if (tag === undefined) return undefined;
  const close = sql.indexOf(tag, at + tag.length);
  if (close === -1) throw new OperatorError("A dollar quote of a migration has no end.");
  return close + tag.length;
}

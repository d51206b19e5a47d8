import type pg from "pg";
import { kindName, tableKinds } from "../src/core/database/table-kinds.js";

/**
 * Checks statements by their PostgreSQL plan, independent of how they are written. Citus can send a statement to a
 * single shard if every distributed table in it is restricted to one value of its distribution column. Then everything
 * in SQL is allowed except what is listed here.
 */
interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  Operation?: string;
  "Conflict Resolution"?: string;
  Output?: string[];
  Plans?: PlanNode[];
  [property: string]: unknown;
}

const transactionCommand = /^\s*(begin|commit|rollback|savepoint|release|set)\b/i;
const conditions = ["Index Cond", "Recheck Cond", "Filter"];
const isParameter = /^\(*\$\d+(?:\)*::uuid)?\)*$/;
/** Functions whose result changes, or whose result depends on settings. */
const mutable = /clock_timestamp|random|::text|to_char|date_trunc|at time zone/i;

export interface ShardFindings {
  tables: string[];
  /** Why the statement cannot run on a single shard. Empty if it can. */
  problems: string[];
}

export async function findShardProblems(client: pg.Pool, text: string): Promise<ShardFindings> {
  if (transactionCommand.test(text)) return { tables: [], problems: [] };
  const copied = /^\s*copy\s+(\w+)\s*\(\s*(\w+)/i.exec(text);
  if (copied) return judgeCopy(copied[1] as string, copied[2] as string);
  const { rows } = await client.query(`explain (generic_plan, verbose, format json) ${text}`);
  const nodes = flatten(JSON.parse(rows[0]["QUERY PLAN"])[0].Plan as PlanNode);
  return judgePlan(nodes, text);
}

function judgeCopy(table: string, firstColumn: string): ShardFindings {
  const isRouted = firstColumn === distributionColumn(table);
  return { tables: [table], problems: isRouted ? [] : [`${table}: copied without its organization first`] };
}

function judgePlan(nodes: PlanNode[], text: string): ShardFindings {
  const tables = [...new Set(nodes.flatMap((node) => node["Relation Name"] ?? []))];
  const problems = nodes.flatMap((node) => problemsOf(node, text));
  const kinds = new Set(tables.map((table) => kindOf(table)));
  if (kinds.has("distributed") && kinds.has("local"))
    problems.push(`local and distributed tables in one statement: ${tables.join(", ")}`);
  return { tables, problems };
}

function problemsOf(node: PlanNode, text: string): string[] {
  const table = node["Relation Name"];
  const column = table === undefined ? undefined : distributionColumn(table);
  if (table === undefined || column === undefined) return [];
  if (node["Node Type"] !== "ModifyTable")
    return isRestricted(node, column) ? [] : [`${table}: no ${column} = $n`];

  const problems: string[] = [];
  // The distribution column is the first of its table.
  const source = node.Plans?.find((child) => child["Parent Relationship"] === "Outer");
  const [value = ""] = source?.Output ?? [];
  // Rows selected from a distributed table stay on its shard only if the organization column is selected too.
  const isSelected =
    source !== undefined && flatten(source).some((part) => kindOf(part["Relation Name"]) === "distributed");
  const isRouted = isSelected ? value.endsWith(`.${column}`) : isParameter.test(value);
  if (node.Operation === "Insert" && !isRouted)
    problems.push(`${table}: inserted with ${column} from ${value}`);
  if (node["Conflict Resolution"] === "UPDATE") problems.push(`${table}: insert that updates`);
  if (node.Operation !== "Insert" && mutable.test(text))
    problems.push(`${table}: ${node.Operation} by something that is not immutable`);
  return problems;
}

/** Whether one of the conditions that all rows must meet is `column = $n`. */
function isRestricted(node: PlanNode, column: string): boolean {
  const terms = conditions.flatMap((name) => conjuncts(String(node[name] ?? "")));
  return terms.some((term) => {
    const [left = "", right = ""] = term.split(" = ");
    return left.replace(/^\w+\./, "") === column && isParameter.test(right);
  });
}

/** The terms of `((a) AND (b))`, without their parentheses. */
function conjuncts(condition: string): string[] {
  const text = withoutParentheses(condition);
  const terms: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0 && text.startsWith(" AND ", at)) {
      terms.push(text.slice(start, at));
      start = at + " AND ".length;
    }
  }
  terms.push(text.slice(start));
  return terms.map(withoutParentheses);
}

function withoutParentheses(text: string): string {
  if (!text.startsWith("(")) return text;
  let depth = 0;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return text;
  }
  return withoutParentheses(text.slice(1, -1));
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}

function kindOf(table: string | undefined): string {
  const kind = tableKinds[table ?? ""];
  return kind === undefined ? "undeclared" : kindName(kind);
}

function distributionColumn(table: string): string | undefined {
  const kind = tableKinds[table];
  return typeof kind === "object" ? kind.distributedBy : undefined;
}

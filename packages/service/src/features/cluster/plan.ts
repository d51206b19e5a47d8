import { anchorTable, kindName, type TableKind } from "../../core/database/table-kinds.js";
import { OperatorError } from "../../core/operator-error.js";

/** A table that Citus manages. Other tables are plain PostgreSQL tables on the first node. */
export interface CitusTable {
  table: string;
  kind: "distributed" | "reference" | "local";
  /** Null if the table is not distributed. */
  column: string | null;
  colocationId: number;
}

export interface DistributionStep {
  table: string;
  kind: "distributed" | "reference" | "local";
  /** Undefined if nothing is left to do. */
  statement: string | undefined;
}

/** The remaining steps, in order. Throws if a table is distributed differently than declared. */
export function planDistribution(
  declared: Record<string, TableKind>,
  known: readonly CitusTable[],
): DistributionStep[] {
  const found = new Map(known.map((table) => [table.table, table]));
  const anchor = found.get(anchorTable);
  return Object.entries(declared)
    .toSorted(([one], [other]) => Number(other === anchorTable) - Number(one === anchorTable))
    .map(([table, kind]) => {
      const current = found.get(table);
      if (current && !isAsDeclared(current, kind, anchor)) refuse(current, kind);
      return { table, kind: kindName(kind), statement: current ? undefined : statementFor(table, kind) };
    });
}

function isAsDeclared(current: CitusTable, kind: TableKind, anchor: CitusTable | undefined): boolean {
  if (typeof kind === "string") return kind === "reference" && current.kind === "reference";
  return (
    current.kind === "distributed" &&
    current.column === kind.distributedBy &&
    current.colocationId === anchor?.colocationId
  );
}

function statementFor(table: string, kind: TableKind): string | undefined {
  if (kind === "local") return undefined;
  if (kind === "reference") return `select create_reference_table('${table}')`;
  const beside = table === anchorTable ? "none" : anchorTable;
  return `select create_distributed_table('${table}', '${kind.distributedBy}', colocate_with => '${beside}')`;
}

function refuse(current: CitusTable, kind: TableKind): never {
  const is =
    current.kind === "distributed"
      ? `distributed by ${current.column}, in co-location group ${current.colocationId}`
      : `a ${current.kind} table in Citus`;
  const should =
    typeof kind === "string"
      ? `a ${kind} table`
      : `distributed by ${kind.distributedBy}, co-located with ${anchorTable}`;
  const advice =
    kind === "local"
      ? " Citus must not manage a local table: citus.use_citus_managed_tables must be off."
      : "";
  throw new OperatorError(
    `The table ${current.table} is ${is}, but it should be ${should}.${advice} Nothing was changed. ` +
      `Undo it with: select undistribute_table('${current.table}'); then run this command again.`,
  );
}

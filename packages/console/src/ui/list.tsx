import type { UseQueryResult } from "@tanstack/react-query";
import type { CursorPage } from "@gatehouse-parking/contract/console";
import type { ReactNode } from "react";
import { CursorPaging } from "./cursor-paging.js";
import { Panel } from "./panel.js";
import { Failure, RowsLoading } from "./states.js";
import { DataTable, type Column } from "./table.js";

/** A list with its three other faces: still loading, failed, empty. */
export function CursorList<Row>({
  label,
  query,
  columns,
  rowKey,
  href,
  empty,
}: {
  label: string;
  query: UseQueryResult<CursorPage<Row> & { previousCursor?: string | null }>;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  href?: (row: Row) => string;
  empty: ReactNode;
}) {
  if (query.isPending) {
    return (
      <Panel flush>
        <RowsLoading />
      </Panel>
    );
  }
  const failure = query.error ? <Failure error={query.error} retry={() => void query.refetch()} /> : null;
  // What was read before stays.
  if (query.data === undefined) return failure;
  return (
    <Panel flush>
      {failure}
      {query.data.data.length === 0 ? (
        empty
      ) : (
        <DataTable label={label} columns={columns} rows={query.data.data} rowKey={rowKey} href={href} />
      )}
      <CursorPaging {...query.data} />
    </Panel>
  );
}

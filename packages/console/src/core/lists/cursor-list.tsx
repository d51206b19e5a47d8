import type { UseQueryResult } from "@tanstack/react-query";
import type { CursorPage } from "@gatehouse-parking/contract/console";
import type { ReactNode } from "react";
import { Panel } from "../ui/page.js";
import { CursorPaging } from "../ui/paging.js";
import { Failure, RowsLoading } from "../ui/states.js";
import { DataTable, type Column } from "../ui/table.js";

/** A list with its loading, error and empty states. */
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
  // Rows that were loaded before stay.
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

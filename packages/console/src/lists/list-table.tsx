import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CursorPaging } from "../ui/cursor-paging.js";
import { NumberedPaging } from "../ui/numbered-paging.js";
import { Empty, Failure, RowsLoading } from "../ui/states.js";
import { DataTable, type Column } from "../ui/table.js";
import { shownColumns, useColumnChoice } from "./column-choice.js";
import { useFilters } from "./filters-in-address.js";
import type { ListAnswer, ListLooks } from "./list-looks.js";
import { useSort } from "./sort.js";

export interface ListTableProps<Row> {
  list: ListLooks<Row>;
  query: UseQueryResult<ListAnswer<Row>>;
  /** What can be done with a row; always shown. */
  actions?: Column<Row> | undefined;
  /** Nothing is there at all: what would be, and the next step. */
  empty: ReactNode;
  /** Something is there, but the filters leave nothing. */
  hint?: ReactNode;
}

/** The rows of a list with its three other faces: still loading, failed, empty. */
export function ListTable<Row>({ list, query, actions, empty, hint }: ListTableProps<Row>) {
  const { chosen } = useColumnChoice(list.name);
  const { isFiltered, clear } = useFilters();
  const sort = useSort(list.usualSort);
  if (query.isPending) return <RowsLoading />;
  const failure = query.error ? <Failure error={query.error} retry={() => void query.refetch()} /> : null;
  // What was read before stays.
  if (query.data === undefined) return failure;
  const { data, totalPages, currentPage = 1 } = query.data;
  const columns = shownColumns(list.columns, chosen);
  return (
    <>
      {failure}
      {data.length > 0 ? (
        <DataTable
          label={list.label}
          columns={actions ? [...columns, actions] : columns}
          rows={sort.sorted(list.columns, data)}
          rowKey={list.rowKey}
          href={list.href}
          sort={sort}
        />
      ) : isFiltered ? (
        <Empty
          title={`No ${list.label.charAt(0).toLowerCase()}${list.label.slice(1)} match these filters`}
          action={
            <Button variant="default" onClick={clear}>
              Clear filters
            </Button>
          }
        >
          {hint}
        </Empty>
      ) : (
        empty
      )}
      {totalPages === undefined ? (
        <CursorPaging {...query.data} />
      ) : (
        <NumberedPaging page={currentPage} totalPages={totalPages} />
      )}
    </>
  );
}

import { Button, Checkbox, Popover, Stack } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { QueryParameters } from "../api/client.js";
import { Slot } from "../features.js";
import { IconChevronDown } from "../ui/icons.js";
import { Panel } from "../ui/page.js";
import { CursorPaging, NumberedPaging } from "../ui/paging.js";
import { Empty, Failure, RowsLoading } from "../ui/states.js";
import { DataTable, type Column } from "../ui/table.js";
import type { ListAnswer, ListDefinition } from "./list-definition.js";
import { shownColumns, useColumnChoice, useFilters, useSort } from "./list-state.js";
import styles from "./lists.module.css";

/** A list that fills a page, below its filters. */
export function DataList<Row>({
  listQuery,
  mayExport,
  ...table
}: ListTableProps<Row> & {
  /** The query of the list, for the export. */
  listQuery?: object;
  mayExport?: boolean | undefined;
}) {
  return (
    <>
      <ListTools list={table.list} query={listQuery} mayExport={mayExport} />
      <Panel flush>
        <ListTable {...table} />
      </Panel>
    </>
  );
}

interface ListTableProps<Row> {
  list: ListDefinition<Row>;
  query: UseQueryResult<ListAnswer<Row>>;
  /** A column with actions, which is always shown. */
  actions?: Column<Row> | undefined;
  /** Shown if there is nothing at all. */
  empty: ReactNode;
  /** Shown if the filters leave nothing. */
  hint?: ReactNode;
}

/** The rows of a list with its loading, error and empty states. */
export function ListTable<Row>({ list, query, actions, empty, hint }: ListTableProps<Row>) {
  const { chosen } = useColumnChoice(list.name);
  const { isFiltered, clear } = useFilters();
  const sort = useSort(list.usualSort);
  if (query.isPending) return <RowsLoading />;
  const failure = query.error ? <Failure error={query.error} retry={() => void query.refetch()} /> : null;
  // Rows that were loaded before stay.
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

/** The tools of a list: saved views, columns, export. */
export function ListTools<Row>({
  list,
  query = {},
  mayExport = true,
  isInPanel = false,
}: {
  list: ListDefinition<Row>;
  /** The query of the list, for the export. */
  query?: object | undefined;
  mayExport?: boolean | undefined;
  /** Below the heading of a panel. */
  isInPanel?: boolean;
}) {
  return (
    <div className={isInPanel ? `${styles.tools} ${styles.inPanel}` : styles.tools}>
      <div className={styles.views}>
        {list.name === "organizations" ? null : <Slot name="listViews" props={{ list: list.name }} />}
      </div>
      <div className={styles.buttons}>
        <ColumnMenu list={list} />
        {mayExport ? (
          <Slot name="listExport" props={{ ...list.exported, query: query as QueryParameters, size: "xs" }} />
        ) : null}
      </div>
    </div>
  );
}

function ColumnMenu<Row>({ list }: { list: ListDefinition<Row> }) {
  const { chosen, choose } = useColumnChoice(list.name);
  const shown = shownColumns(list.columns, chosen).map(({ header }) => header);
  return (
    <Popover position="bottom-end" withinPortal trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" rightSection={<IconChevronDown size={14} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs" className={styles.columns}>
          {list.columns.map(({ header }) => (
            <Checkbox
              key={header}
              size="xs"
              label={header}
              checked={shown.includes(header)}
              // At least one column stays.
              disabled={shown.length === 1 && shown[0] === header}
              onChange={(event) => {
                const isWanted = event.currentTarget.checked;
                choose(
                  list.columns
                    .map((column) => column.header)
                    .filter((name) => (name === header ? isWanted : shown.includes(name))),
                );
              }}
            />
          ))}
          <Button size="compact-xs" variant="subtle" disabled={chosen === null} onClick={() => choose(null)}>
            Usual columns
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

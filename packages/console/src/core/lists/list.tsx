import { Button, Checkbox, Group, Pagination, Popover, Stack, Text } from "@mantine/core";
import type { AnswerOf, BothWaysPage, QueryOf, SavedList } from "@gatehouse-parking/contract/console";
import type { ReactNode } from "react";
import type { PathParameters, QueryParameters, RouteName } from "../api/client.js";
import { useApi } from "../api/queries.js";
import { Slot } from "../features.js";
import { IconChevronDown } from "../ui/icons.js";
import { Panel, type PanelProps } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty, Loaded } from "../ui/states.js";
import { DataTable, type Column } from "../ui/table.js";
import { Filters, readFilters, type Filter } from "./filters.js";
import { shownColumns, useClearFilters, useColumnChoice, useSort } from "./list-state.js";
import styles from "./lists.module.css";
import { texts } from "./texts.js";
import { PagingBar, PagingButton } from "../ui/paging.js";

/** Describes a list: its table, sorting, column menu, saved views and export derive from this. */
export interface ListDefinition<Name extends RouteName> {
  route: Name;
  /** The key of saved views and of the column choice. Without one, the list has no tools. */
  name?: SavedList | "organizations";
  label: string;
  /** All columns. Optional ones are hidden until the user chooses them. */
  columns: readonly Column<RowOf<Name>>[];
  rowKey: (row: RowOf<Name>) => string;
  href?: (row: RowOf<Name>) => string;
  /** The default order. */
  usualSort?: string;
  /** Cursors, numbers, or one page that is sorted here. */
  paging?: "numbered" | "none";
  exported?: ExportRoute;
}

/** The download operation of a list. */
export interface ExportRoute {
  route: RouteName;
  parameters?: PathParameters;
}

export type RowOf<Name extends RouteName> = AnswerOf<Name> extends { data: (infer Row)[] } ? Row : never;

/** A page of a list, paged by cursor or by number. */
interface ListAnswer<Row> {
  data: readonly Row[];
  nextCursor?: string | null;
  previousCursor?: string | null;
  totalPages?: number;
  currentPage?: number;
}

type Total = NonNullable<BothWaysPage<unknown>["total"]>;

interface ListOptions<Name extends RouteName> {
  filters?: readonly Filter[];
  parameters?: PathParameters;
  /** Always part of the query. */
  query?: QueryOf<Name>;
  live?: boolean;
  refetchMs?: number;
}

/** Loads the page of a list that the address names. */
export function useList<Name extends RouteName>(
  list: ListDefinition<Name>,
  { filters = [], parameters, query, live, refetchMs }: ListOptions<Name> = {},
) {
  const { params } = useQueryState();
  const filtered = readFilters(params, filters);
  const isSortedHere = list.usualSort === undefined || list.paging === "none";
  const exported = { ...readNamed(params, isSortedHere ? [] : ["sort"]), ...filtered };
  const page =
    list.paging === "numbered"
      ? { page: Number(params.get("page")) || 1 }
      : readNamed(params, list.paging === "none" ? [] : ["before", "after"]);
  const answer = useApi(list.route, {
    parameters,
    query: { ...query, ...exported, ...page } as QueryOf<Name>,
    live,
    refetchMs,
  });
  const total = useTotal(list, { parameters, query: { ...query, ...filtered } as QueryOf<Name> });
  return { list, filters, answer, total, exported, isFiltered: Object.keys(filtered).length > 0 };
}

const totalRefreshMs = 60_000;

/** Counted separately, so that the page does not wait for it. */
function useTotal<Name extends RouteName>(
  list: ListDefinition<Name>,
  { parameters, query }: Pick<ListOptions<Name>, "parameters" | "query">,
): Total | undefined {
  const counted = useApi(list.route, {
    parameters,
    query: { ...query, limit: 1, total: "yes" } as QueryOf<Name>,
    enabled: list.paging === undefined,
    refetchMs: totalRefreshMs,
  });
  return counted.isPlaceholderData ? undefined : (counted.data as { total?: Total } | undefined)?.total;
}

export type FoundList<Name extends RouteName> = ReturnType<typeof useList<Name>>;

function readNamed(params: URLSearchParams, names: readonly string[]): Record<string, string> {
  return Object.fromEntries([...params].filter(([name, value]) => value !== "" && names.includes(name)));
}

/** A list with its filters, tools and states. */
export function List<Name extends RouteName>({
  found,
  panel,
  firstColumn,
  rowActions,
  empty,
  hint,
  mayExport = true,
  children,
}: {
  found: FoundList<Name>;
  /** The list has a heading, and its tools are below it. */
  panel?: PanelProps;
  /** Columns that are always shown. */
  firstColumn?: Column<RowOf<Name>>;
  rowActions?: Column<RowOf<Name>> | undefined;
  /** Shown if there is nothing at all. */
  empty: ReactNode;
  /** Shown if the filters leave nothing. */
  hint?: ReactNode;
  mayExport?: boolean;
  /** Between the filters and the table. */
  children?: ReactNode;
}) {
  const { list, filters, answer, total, isFiltered } = found;
  const { chosen } = useColumnChoice(list.name ?? "");
  const clear = useClearFilters();
  const sort = useSort(list.usualSort);
  const columns = [
    ...(firstColumn ? [firstColumn] : []),
    ...shownColumns(list.columns, list.name ? chosen : null),
    ...(rowActions ? [rowActions] : []),
  ];
  const tools = (
    <>
      <div className={styles.tools}>
        {filters.length > 0 ? <Filters filters={filters} /> : null}
        {list.name ? <ListTools found={found} mayExport={mayExport} /> : null}
      </div>
      {children}
    </>
  );
  return (
    <>
      {panel ? null : tools}
      <Panel flush {...panel}>
        {panel ? <div className={styles.inPanel}>{tools}</div> : null}
        <Loaded query={answer}>
          {(loaded) => {
            const { data, totalPages, currentPage = 1, ...cursors } = loaded as ListAnswer<RowOf<Name>>;
            return (
              <>
                {data.length > 0 ? (
                  <DataTable
                    label={list.label}
                    columns={columns}
                    rows={sort.sorted(list.columns, data)}
                    rowKey={list.rowKey}
                    href={list.href}
                    sort={list.usualSort === undefined ? undefined : sort}
                  />
                ) : isFiltered ? (
                  <Empty
                    title={texts.noMatch(list.label)}
                    action={
                      <Button variant="default" onClick={clear}>
                        {texts.clearFilters}
                      </Button>
                    }
                  >
                    {hint}
                  </Empty>
                ) : (
                  empty
                )}
                {totalPages === undefined ? (
                  <CursorPaging {...cursors} rows={data.length} total={total} />
                ) : (
                  <NumberedPaging page={currentPage} totalPages={totalPages} />
                )}
              </>
            );
          }}
        </Loaded>
      </Panel>
    </>
  );
}

/** Saved views, columns, export. */
function ListTools<Name extends RouteName>({
  found: { list, exported },
  mayExport,
}: {
  found: FoundList<Name>;
  mayExport: boolean;
}) {
  const { name, exported: route } = list;
  return (
    <div className={styles.buttons}>
      {name === undefined || name === "organizations" ? null : (
        <Slot name="listViews" props={{ list: name }} />
      )}
      <ColumnMenu list={list} />
      {mayExport && route ? (
        <Slot name="listExport" props={{ ...route, query: exported as QueryParameters, size: "xs" }} />
      ) : null}
    </div>
  );
}

function ColumnMenu<Name extends RouteName>({ list }: { list: ListDefinition<Name> }) {
  const { chosen, choose } = useColumnChoice(list.name ?? "");
  const shown = shownColumns(list.columns, chosen).map(({ header }) => header);
  return (
    <Popover position="bottom-end" withinPortal trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" rightSection={<IconChevronDown size={14} />}>
          {texts.columns}
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
                const headers = list.columns.map((column) => column.header);
                choose(headers.filter((name) => (name === header ? isWanted : shown.includes(name))));
              }}
            />
          ))}
          <Button size="compact-xs" variant="subtle" disabled={chosen === null} onClick={() => choose(null)}>
            {texts.defaultColumns}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Texts and parameters of the buttons, by sort direction. */
const directions = {
  newest: { ...texts.newestFirst, backName: "after", forwardName: "before" },
  oldest: { ...texts.oldestFirst, backName: "before", forwardName: "after" },
};

/** Paging by cursor. Each page has its own address. A list without `previousCursor` has only one direction. */
function CursorPaging({
  nextCursor,
  previousCursor,
  rows,
  total,
}: Omit<ListAnswer<unknown>, "data"> & { rows: number; total: Total | undefined }) {
  const { params, set } = useQueryState();
  const order = directions[params.get("sort") === "oldest" ? "oldest" : "newest"];
  const isFirst = !params.has("before") && !params.has("after");
  if (isFirst && !nextCursor) return null;
  const button = (label: string, disabled: boolean, cursor: Record<string, string | null | undefined>) => (
    <PagingButton
      label={label}
      disabled={disabled}
      onClick={() => {
        set(cursor, { push: true });
        window.scrollTo(0, 0);
      }}
    />
  );
  return (
    <PagingBar>
      {button(order.first, isFirst, {})}
      <Text size="sm" c="dimmed">
        {total ? texts.range(isFirst, rows, total) : null}
      </Text>
      <Group gap="xs">
        {previousCursor === undefined
          ? null
          : button(order.back, previousCursor === null, { [order.backName]: previousCursor })}
        {button(order.forward, !nextCursor, { [order.forwardName]: nextCursor })}
      </Group>
    </PagingBar>
  );
}

/** Paging by number. Each page has its own address. */
function NumberedPaging({ page, totalPages }: { page: number; totalPages: number }) {
  const { set } = useQueryState();
  if (totalPages <= 1) return null;
  return (
    <Group justify="center" p="md">
      <Pagination
        size="sm"
        total={totalPages}
        value={page}
        onChange={(value) => set({ page: value === 1 ? null : value }, { push: true })}
        getControlProps={(control) => ({ "aria-label": texts.page(control) })}
      />
    </Group>
  );
}

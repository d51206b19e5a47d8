import type { SavedList } from "@gatehouse-parking/contract/console";
import type { PathParameters, QueryParameters, RouteName } from "../api/routes.js";
import type { Column } from "../ui/table.js";

/** Describes a list once. Its table, its order, its choice of columns, its views and its file follow from this. */
export interface ListLooks<Row> {
  /** What views are saved under, and what the choice of columns is kept by. Only operators list organizations. */
  name: SavedList | "organizations";
  label: string;
  /** All of them; those that are optional are shown to whoever chooses them. */
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  href?: (row: Row) => string;
  /** Its order if the address says nothing. */
  usualSort?: string;
  exported: Exported;
}

/** The download that a file of a list comes from. */
export interface Exported {
  route: RouteName;
  parameters?: PathParameters;
}

/** A page of a list, whichever way it is paged. */
export interface ListAnswer<Row> {
  data: readonly Row[];
  nextCursor?: string | null;
  previousCursor?: string | null;
  totalPages?: number;
  currentPage?: number;
}

/** The order of lists that are read by the time of their rows. */
export const byTime = { up: "oldest", down: "newest" };

/** The order by a field that the service can sort a list by. */
export const bySort = (name: string) => ({ up: name, down: `-${name}` });

/** Filters for a file: those of the page, from the beginning. */
export function wholeList(query: QueryParameters): QueryParameters {
  const { before: _before, after: _after, page: _page, pageSize: _pageSize, ...filters } = query;
  return filters;
}

import type { SavedList } from "@gatehouse-parking/contract/console";
import type { PathParameters, QueryParameters, RouteName } from "../api/client.js";
import type { Column } from "../ui/table.js";

/** Describes a list: its table, sorting, column menu, saved views and export derive from this. */
export interface ListDefinition<Row> {
  /** The key of saved views and of the column choice. Only operators list organizations. */
  name: SavedList | "organizations";
  label: string;
  /** All columns. Optional ones are hidden until somebody chooses them. */
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  href?: (row: Row) => string;
  /** The default order. */
  usualSort?: string;
  exported: ExportRoute;
}

/** The download operation of a list. */
export interface ExportRoute {
  route: RouteName;
  parameters?: PathParameters;
}

/** A page of a list, paged by cursor or by number. */
export interface ListAnswer<Row> {
  data: readonly Row[];
  nextCursor?: string | null;
  previousCursor?: string | null;
  totalPages?: number;
  currentPage?: number;
}

/** Sorting of lists that are ordered by time. */
export const byTime = { up: "oldest", down: "newest" };

/** Sorting by a field. */
export const bySort = (name: string) => ({ up: name, down: `-${name}` });

/** An export has all pages. */
export function withoutPaging(query: QueryParameters): QueryParameters {
  const { before: _before, after: _after, page: _page, pageSize: _pageSize, ...filters } = query;
  return filters;
}

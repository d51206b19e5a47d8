import type { TSchema } from "typebox";
import { maxExportedRows } from "../limits.js";
import type { ConsoleOperation } from "./declare.js";
import { download } from "./fields.js";
import { bothWaysQuery } from "./paging.js";

/** Where the export of a list that is read from a cursor on begins, and in which order its rows come. */
export const exportStart = {
  before: bothWaysQuery.before,
  after: bothWaysQuery.after,
  sort: bothWaysQuery.sort,
};

/**
 * The export of a list: beside the list, for whoever may look at it, with the same filters. The audit log gets a line
 * when it begins, and one that says how many rows have left when it ends.
 */
export const exportOf = <
  const Path extends string,
  const Role extends ConsoleOperation["role"],
  Query extends TSchema,
>(
  list: { path: Path; role: Role },
  { what, query }: { what: string; query: Query },
) =>
  ({
    method: "GET",
    path: `${list.path}.:format` as `${Path}.:format`,
    role: list.role,
    audited: true,
    summary: `${what} as a file, at most ${maxExportedRows.toLocaleString("en")} rows`,
    description:
      "In the order of the list. The header `gatehouse-max-rows` says how many rows a file has at most: one that has as many may lack others. Where the list has cursors, they follow with that of the last row in `before`, or in `after` if the oldest come first.",
    query,
    answer: download("text/csv", "application/x-ndjson"),
  }) as const;

import type { TSchema } from "typebox";
import { maxExportedRows } from "../limits.js";
import type { ConsoleOperation } from "./declare.js";
import { download } from "./fields.js";
import { bothWaysQuery } from "./paging.js";

/** The starting position and the order of the export of a cursor list. */
export const exportStart = {
  before: bothWaysQuery.before,
  after: bothWaysQuery.after,
  sort: bothWaysQuery.sort,
};

/**
 * The export of a list has the list's path, permissions and filters. The audit log gets an entry when it starts, and
 * another with the number of exported rows when it ends.
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
      "In the order of the list. The header `gatehouse-max-rows` is the row limit of a file. If a file has that many rows, there may be more: pass the cursor of its last row in `before`, or in `after` if the oldest come first.",
    query,
    answer: download("text/csv", "application/x-ndjson"),
  }) as const;

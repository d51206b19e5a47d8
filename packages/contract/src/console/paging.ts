import type { TSchema } from "typebox";
import { Type } from "../schema/type.js";
import { maxPage } from "../limits.js";
import { uuid } from "../schema/fields.js";
import { clamped, count, nullable, word } from "./fields.js";

/** The parameters of a list that can be read from its newest or its oldest row. */
export const bothWaysQuery = {
  limit: Type.Optional(clamped({ minimum: 1, maximum: 100, default: 50 })),
  before: Type.Optional(uuid({ description: "A cursor: what is older." })),
  after: Type.Optional(uuid({ description: "A cursor: what is newer." })),
  sort: Type.Optional(word(["newest", "oldest"], "What comes first; absent: the newest.")),
  total: Type.Optional(word(["yes"], "Whether to count the rows, from the cursor on.")),
};

/** More rows are not counted. */
export const maxCounted = 10_000;

export const bothWaysPage = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item),
    nextCursor: nullable(
      Type.String({
        description:
          "For the next page: pass it in `before`, or in `after` if the oldest come first. null on the last page.",
      }),
    ),
    previousCursor: nullable(
      Type.String({
        description: "For the previous page: pass it in the other one. null on the first page.",
      }),
    ),
    total: Type.Optional(
      Type.Object(
        {
          count: count(),
          isMore: Type.Boolean({ description: "There are more, which were not counted." }),
        },
        { description: `Counted up to ${maxCounted.toLocaleString("en")} rows. Absent unless requested.` },
      ),
    ),
  });

/** The sort orders of a list: each name ascending and, with a leading -, descending. */
export const bothDirections = <const Names extends readonly string[]>(names: Names) =>
  names.flatMap((name) => [name, `-${name}`]) as (Names[number] | `-${Names[number]}`)[];

/** The parameters of every list with numbered pages. */
export const pageQuery = (sizes: { defaultPageSize: number; maxPageSize: number }) => ({
  page: Type.Optional(clamped({ minimum: 1, maximum: maxPage, default: 1 })),
  pageSize: Type.Optional(
    clamped({ minimum: 1, maximum: sizes.maxPageSize, default: sizes.defaultPageSize }),
  ),
});

/** By name. */
export const numberedPage = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item),
    totalCount: count(),
    pageSize: count(),
    currentPage: count(),
    totalPages: count(),
    hasPreviousPage: Type.Boolean(),
    hasNextPage: Type.Boolean(),
  });

export interface CursorPage<T> {
  data: T[];
  nextCursor: string | null;
}

export interface BothWaysPage<T> extends CursorPage<T> {
  previousCursor: string | null;
  total?: { count: number; isMore: boolean };
}

import type { TSchema } from "typebox";
import { Type } from "../schema/type.js";
import { maxPage } from "../limits.js";
import { uuid } from "../schema/fields.js";
import { clamped, count, nullable, word } from "./fields.js";

/** What every list takes that is read from a cursor on. */
export const cursorQuery = {
  before: Type.Optional(uuid({ description: "The nextCursor of the page before." })),
  limit: Type.Optional(clamped({ minimum: 1, maximum: 100, default: 50 })),
};

/** Newest first. */
export const cursorPage = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item),
    nextCursor: nullable(
      Type.String({ description: "Goes into `before` of the next request; null: this was the last page." }),
    ),
  });

/** What a list takes that can be gone through both ways, from its newest or from its oldest row on. */
export const bothWaysQuery = {
  ...cursorQuery,
  before: Type.Optional(uuid({ description: "A cursor: what is older." })),
  after: Type.Optional(uuid({ description: "A cursor: what is newer." })),
  sort: Type.Optional(word(["newest", "oldest"], "What comes first; absent: the newest.")),
};

export const bothWaysPage = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item),
    nextCursor: nullable(
      Type.String({
        description:
          "For what follows: `before` of the next request, or `after` if the oldest come first. null: nothing follows.",
      }),
    ),
    previousCursor: nullable(
      Type.String({ description: "For what precedes, in the other of the two. null: nothing precedes." }),
    ),
  });

/** The names of what a list can be sorted by, each upwards and, with a - before it, downwards. */
export const bothDirections = <const Names extends readonly string[]>(names: Names) =>
  names.flatMap((name) => [name, `-${name}`]) as (Names[number] | `-${Names[number]}`)[];

/** What every list takes whose pages are numbered. */
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
}

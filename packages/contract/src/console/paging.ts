import type { TSchema } from "typebox";
import { Type } from "../schema/type.js";
import { uuid } from "../schema/fields.js";
import { clamped, nullable } from "./fields.js";

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

export interface CursorPage<T> {
  data: T[];
  nextCursor: string | null;
}

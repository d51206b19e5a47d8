import { Type } from "./type.js";
import { amountBound } from "../limits.js";

/** A decimal, stored exactly as written, even with more digits than a double holds. Send 0, not null. */
export const amount = (description: string) =>
  Type.Optional(
    Type.Unsafe<number>({
      type: "number",
      exclusiveMinimum: -amountBound,
      exclusiveMaximum: amountBound,
      description,
      examples: [12.5],
    }),
  );

/** The one amount that may be null. */
export const nullableAmount = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({
      type: ["number", "null"],
      exclusiveMinimum: -amountBound,
      exclusiveMaximum: amountBound,
      description,
      examples: [null],
    }),
  );

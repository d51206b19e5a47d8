import type { Static } from "typebox";
import { Type } from "./type.js";

/** Timestamps in responses always have one format: UTC with milliseconds. */
export const wireTimestamp = () =>
  Type.Unsafe<string>({ type: "string", format: "date-time", examples: ["2026-04-01T14:30:00.000Z"] });

export const ErrorEnvelope = Type.Object(
  {
    success: Type.Literal(false),
    message: Type.String(),
    errors: Type.Array(Type.String()),
    timestamp: wireTimestamp(),
  },
  { $id: "ErrorEnvelope" },
);
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

export const RateLimitAnswer = Type.Object(
  {
    success: Type.Literal(false),
    message: Type.String(),
    retryAfter: Type.Integer({ description: "Seconds." }),
    timestamp: wireTimestamp(),
  },
  { $id: "RateLimitAnswer" },
);

export const EmptyBatchError = Type.Object({ error: Type.String() }, { $id: "EmptyBatchError" });

export const BatchTooLargeError = Type.Object(
  { error: Type.String(), submitted: Type.Integer(), max: Type.Integer() },
  { $id: "BatchTooLargeError" },
);

export const ProblemDetails = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    errors: Type.Record(Type.String(), Type.Array(Type.String())),
    error: Type.Optional(Type.String({ description: "Present when the array of records is missing." })),
  },
  { $id: "ProblemDetails", description: "A validation problem (RFC 9457)." },
);
export type ProblemDetails = Static<typeof ProblemDetails>;

/** The shape of every list: one page and its position. */
export function paged<T>(id: string, itemId: string, _item: T) {
  return Type.Object(
    {
      data: Type.Unsafe<T[]>({ type: "array", items: { $ref: itemId } }),
      totalCount: Type.Integer({ minimum: 0 }),
      pageSize: Type.Integer({ minimum: 1 }),
      currentPage: Type.Integer({ minimum: 1 }),
      totalPages: Type.Integer({ minimum: 0 }),
      hasPreviousPage: Type.Boolean(),
      hasNextPage: Type.Boolean(),
    },
    { $id: id },
  );
}

import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { operationNames, type OperationName } from "../operations.js";
import { wireTimestamp } from "../schema/answers.js";
import { uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { count, moment, nullable, word } from "./fields.js";

export const LimitUse = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        operation: word(operationNames),
        method: Type.String(),
        path: Type.String(),
        per: word(["organization", "address"]),
        limit: count(),
        windowSeconds: count(),
        /** Null for limits per client address, which belong to no organization. */
        used: nullable(count("Requests in the current window.")),
        remaining: nullable(count()),
        resetAt: nullable(
          Type.Unsafe<string>({
            ...wireTimestamp(),
            description: "When the next request leaves the window.",
          }),
        ),
      }),
    ),
  },
  { $id: "LimitUse" },
);
export type LimitUse = Static<typeof LimitUse>;

export const KeyUse = Type.Object(
  {
    from: wireTimestamp(),
    to: wireTimestamp(),
    data: Type.Array(
      Type.Object({
        apiKeyUuid: uuid(),
        name: Type.String(),
        prefix: Type.String(),
        operation: Type.Unsafe<OperationName | (string & {})>({ type: "string" }),
        hour: wireTimestamp(),
        accepted: count("Successful requests."),
        limited: count("Answered 429."),
        refused: count("Requests that got another error."),
        notLogged: count("How many of these the request log left out because there were too many at once."),
      }),
    ),
  },
  { $id: "KeyUse" },
);
export type KeyUse = Static<typeof KeyUse>;

export const limitUseOperations = {
  getLimitUse: {
    method: "GET",
    path: `${organization}/overview/limits`,
    role: "viewer",
    summary: "Get the current use of an organization's rate limits",
    answer: LimitUse,
  },
  getKeyUse: {
    method: "GET",
    path: `${organization}/overview/key-use`,
    role: "viewer",
    summary: "Get the requests by key, operation and hour",
    description: "At most 31 days; the last 24 hours by default.",
    query: Type.Object({
      from: Type.Optional(moment()),
      to: Type.Optional(moment()),
      apiKey: Type.Optional(uuid()),
    }),
    answer: KeyUse,
  },
} as const satisfies Record<string, ConsoleOperation>;

import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import type { OperationName } from "../operations.js";
import { wireTimestamp } from "../schema/answers.js";
import { uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { count, moment } from "./fields.js";

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

export const keyUseOperations = {
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

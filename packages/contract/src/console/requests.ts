import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { errors, type ErrorName } from "../errors.js";
import { operationNames, type OperationName } from "../operations.js";
import { wireTimestamp } from "../schema/answers.js";
import { uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { count, moment, nullable, searchedText, word } from "./fields.js";
import { exportOf, exportStart } from "./exports.js";
import { bothWaysPage, bothWaysQuery } from "./paging.js";
import { KeyShown } from "./runs.js";

/** Releases come and go while the log is kept, so a name in it may be one that this release does not know. */
type OrUnknown<Name extends string> = Name | (string & {});

export const LoggedRequest = Type.Object(
  {
    uuid: uuid(),
    at: wireTimestamp(),
    apiKey: KeyShown,
    operation: Type.Unsafe<OrUnknown<OperationName>>({ type: "string" }),
    status: nullable(Type.Integer({ description: "null: the client went away before its answer." })),
    reason: nullable(
      Type.Unsafe<OrUnknown<ErrorName>>({
        type: "string",
        description: "The name of the error, as in the header X-Error.",
      }),
    ),
    referenceUuid: nullable(uuid({ description: "The run that the request made." })),
    bodyBytes: nullable(count("Of the body; null: neither declared nor received.")),
    durationMs: nullable(Type.Number()),
    requestId: Type.String(),
  },
  { $id: "LoggedRequest" },
);
export type LoggedRequest = Static<typeof LoggedRequest>;

/** How requests ended. */
export const requestOutcomes = ["accepted", "error", "limited", "refused", "failed", "unanswered"] as const;

const filters = {
  apiKey: Type.Optional(uuid()),
  outcome: Type.Optional(
    word(
      requestOutcomes,
      "accepted: below 400. error: 400 and above. limited: 429. refused: any other error. failed: 5xx. unanswered: the client went away.",
    ),
  ),
  operation: Type.Optional(word(operationNames)),
  reason: Type.Optional(word(Object.keys(errors) as ErrorName[])),
  requestId: Type.Optional(searchedText("A whole request id, as in the header X-Request-Id.")),
  from: Type.Optional(moment("Answered at or after.")),
  to: Type.Optional(moment("Answered before.")),
};
const RequestsQuery = Type.Object({ ...bothWaysQuery, ...filters });
export type RequestsQuery = Static<typeof RequestsQuery>;

const RequestsPage = Type.Object(
  {
    ...bothWaysPage(LoggedRequest).properties,
    keptDays: count("How far back the log goes; 0: nothing is logged."),
    keptRows: count("How many requests of an organization it keeps."),
  },
  { $id: "RequestsPage" },
);
export type RequestsPage = Static<typeof RequestsPage>;

const list = { method: "GET", path: `${organization}/requests`, role: "viewer" } as const;

export const requestOperations = {
  listRequests: {
    ...list,
    summary: "Requests with the organization's keys, refused ones included",
    description:
      "Newest first. Of a flood of the same refusal some are logged and the rest are counted in the use of the key. A page with filters can be short although there are more: nextCursor says.",
    query: RequestsQuery,
    answer: RequestsPage,
  },
  downloadRequests: exportOf(list, {
    what: "Requests",
    query: Type.Object({ ...exportStart, ...filters }),
  }),
} as const satisfies Record<string, ConsoleOperation>;

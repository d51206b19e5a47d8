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

/** A name in the log may come from another release that this one does not know. */
type OrUnknown<Name extends string> = Name | (string & {});

export const LoggedRequest = Type.Object(
  {
    uuid: uuid(),
    at: wireTimestamp(),
    apiKey: KeyShown,
    operation: Type.Unsafe<OrUnknown<OperationName>>({ type: "string" }),
    status: nullable(Type.Integer({ description: "null: the client disconnected before the answer." })),
    reason: nullable(
      Type.Unsafe<OrUnknown<ErrorName>>({
        type: "string",
        description: "The name of the error, as in the header X-Error.",
      }),
    ),
    referenceUuid: nullable(uuid({ description: "The run that the request created." })),
    bodyBytes: nullable(count("Size of the body; null: neither declared nor received.")),
    durationMs: nullable(Type.Number()),
    requestId: Type.String(),
  },
  { $id: "LoggedRequest" },
);
export type LoggedRequest = Static<typeof LoggedRequest>;

const RequestAnswer = Type.Object(
  {
    messages: Type.Array(Type.String(), { description: "What the answer said was wrong." }),
    headers: Type.Record(Type.String(), Type.String()),
  },
  { $id: "RequestAnswer" },
);
export type RequestAnswer = Static<typeof RequestAnswer>;

export const RequestDetail = Type.Object(
  {
    ...LoggedRequest.properties,
    /** Null: accepted, aborted, or logged by a release that did not keep it. */
    answer: nullable(RequestAnswer),
  },
  { $id: "RequestDetail" },
);
export type RequestDetail = Static<typeof RequestDetail>;

/** How requests ended. */
export const requestOutcomes = ["accepted", "error", "limited", "refused", "failed", "unanswered"] as const;

const filters = {
  apiKey: Type.Optional(uuid()),
  outcome: Type.Optional(
    word(
      requestOutcomes,
      "accepted: below 400. error: 400 and above. limited: 429. refused: any other error. failed: 5xx. unanswered: the client disconnected.",
    ),
  ),
  operation: Type.Optional(word(operationNames)),
  reason: Type.Optional(word(Object.keys(errors) as ErrorName[])),
  requestId: Type.Optional(searchedText("A complete request id, as in the header X-Request-Id.")),
  from: Type.Optional(moment("Answered at or after.")),
  to: Type.Optional(moment("Answered before.")),
};
const RequestsQuery = Type.Object({ ...bothWaysQuery, ...filters });
export type RequestsQuery = Static<typeof RequestsQuery>;

const RequestsPage = Type.Object(
  {
    ...bothWaysPage(LoggedRequest).properties,
    keptDays: count("Days that the log covers; 0: the log is off."),
    keptRows: count("The number of requests that it keeps per organization."),
  },
  { $id: "RequestsPage" },
);
export type RequestsPage = Static<typeof RequestsPage>;

const list = { method: "GET", path: `${organization}/requests`, role: "viewer" } as const;

export const requestOperations = {
  listRequests: {
    ...list,
    summary: "List the requests with the organization's keys, including rejected ones",
    description:
      "Newest first. If the same rejection repeats very often, some are logged and all are counted in the use of the key. A filtered page can be short even if there are more: see nextCursor.",
    query: RequestsQuery,
    answer: RequestsPage,
  },
  getRequest: {
    method: "GET",
    path: `${organization}/requests/:requestUuid`,
    role: "viewer",
    summary: "One request, with what it was answered",
    description: "Bodies are never logged.",
    answer: RequestDetail,
  },
  downloadRequests: exportOf(list, {
    what: "Requests",
    query: Type.Object({ ...exportStart, ...filters }),
  }),
} as const satisfies Record<string, ConsoleOperation>;

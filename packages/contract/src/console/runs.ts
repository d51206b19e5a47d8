import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { RunStatus } from "../enums.js";
import { wireTimestamp } from "../schema/answers.js";
import { ImportResource } from "../import-resources.js";
import { CreatedEntities, ImportRunSummary } from "../schema/import-run.js";
import { enumInteger, uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { count, download, exactJson, moment, nullable, oneOfNumbers, word } from "./fields.js";
import { exportOf, exportStart } from "./exports.js";
import { bothWaysPage, bothWaysQuery } from "./paging.js";
import { ResolutionTrace } from "./trace.js";
import { KindCount, RunUndone, UndoneSummary } from "./undo.js";

export const KeyShown = Type.Object(
  { uuid: uuid(), name: Type.String(), prefix: Type.String() },
  { $id: "KeyShown" },
);

export const RunFile = Type.Object(
  {
    referenceUuid: uuid({ description: "Of the first run of the file." }),
    name: Type.String(),
    runs: count("How many runs of the file are added up here."),
  },
  { $id: "RunFile" },
);
export type RunFile = Static<typeof RunFile>;

const summaryFields = {
  ...ImportRunSummary.properties,
  /** Null: imported in the console by a signed-in person. */
  apiKey: nullable(KeyShown),
  /** Null: not undone. */
  undone: nullable(UndoneSummary),
  /** Null: not part of an uploaded file. */
  file: nullable(RunFile),
};
export const RunSummary = Type.Object(summaryFields, { $id: "RunSummary" });
export type RunSummary = Static<typeof RunSummary>;

export const FieldDifference = Type.Object(
  { field: Type.String(), stored: nullable(Type.String()), sent: nullable(Type.String()) },
  {
    $id: "FieldDifference",
    description: "Values as text, shortened if long; null: the field was absent.",
  },
);
export type FieldDifference = Static<typeof FieldDifference>;

export const SentValue = Type.Object(
  {
    field: Type.String(),
    value: Type.String({
      description: "Strings as sent, other values as JSON; for objects and lists only their type.",
    }),
    isCut: Type.Boolean({ description: "Only the beginning is kept." }),
  },
  { $id: "SentValue" },
);
export type SentValue = Static<typeof SentValue>;

export const RunResult = Type.Object(
  {
    position: count("Index in the request, from 0."),
    reference: Type.String(),
    status: oneOfNumbers([1, 3, 4], "1 Created, 3 Skipped, 4 Failed."),
    uuid: Type.Optional(uuid()),
    reasonCode: Type.Optional(Type.Integer()),
    errorDetail: Type.Optional(Type.String()),
    takenBack: Type.Optional(
      Type.Literal(true, {
        description: "The record was created, then deleted by undoing the run.",
      }),
    ),
    deletedAt: Type.Optional(
      Type.Unsafe<string>({
        ...wireTimestamp(),
        description: "The record was created, then deleted when its retention period ended.",
      }),
    ),
    sent: Type.Optional(
      Type.Array(SentValue, { description: "Failed: the rejected values, as far as they are kept." }),
    ),
    trace: Type.Optional(ResolutionTrace),
    differences: Type.Optional(
      Type.Array(FieldDifference, { description: "Skipped: the differences from the stored record." }),
    ),
  },
  { $id: "RunResult" },
);
export type RunResult = Static<typeof RunResult>;

export const FailureGroup = Type.Object(
  {
    reasonCode: Type.Integer(),
    name: Type.String(),
    meaning: Type.String(),
    advice: Type.String(),
    count: count(),
    keptCount: count("The number of kept failures in this group."),
    messages: Type.Array(
      Type.Object({
        message: Type.String({ description: "Includes the field name." }),
        count: count("The number of kept failures with this message."),
        position: count("Position of the first one."),
        reference: Type.String({ description: "Reference of the first one." }),
        values: Type.Array(Type.String(), {
          description: "Up to three different values of the field.",
        }),
      }),
      { description: "The problems, each once, most frequent first." },
    ),
  },
  { $id: "FailureGroup" },
);
export type FailureGroup = Static<typeof FailureGroup>;

export const RunDetail = Type.Object(
  {
    ...summaryFields,
    undone: nullable(RunUndone),
    undoableUntil: nullable(wireTimestamp()),
    previousUuid: nullable(uuid({ description: "The run before it." })),
    nextUuid: nullable(uuid({ description: "The run after it." })),
    createdEntities: CreatedEntities,
    metadata: nullable(exactJson()),
    requestId: nullable(Type.String()),
    results: Type.Array(RunResult, { description: "By position. Of the failures, the first 100 are kept." }),
    failuresNotKept: count("The number of further failures."),
    deleted: Type.Array(KindCount, {
      description: "Records that the run created and that were deleted when their retention period ended.",
    }),
    exceptionsDeletedAt: nullable(
      Type.Unsafe<string>({
        ...wireTimestamp(),
        description: "When its Skipped and Failed records were deleted; null: they are stored.",
      }),
    ),
    sentValuesKeptDays: count("Days that rejected field values are kept; 0: they are not stored."),
    failureGroups: Type.Array(FailureGroup, {
      description: "The kept failures by problem, most frequent first.",
    }),
    differingCount: count("Skipped records that differed from the stored ones."),
    droppedSubscriptionCount: count(
      "Nested subscriptions that were dropped because no account was resolved.",
    ),
  },
  { $id: "RunDetail" },
);
export type RunDetail = Static<typeof RunDetail>;

const filters = {
  resource: Type.Optional(enumInteger(ImportResource)),
  status: Type.Optional(enumInteger(RunStatus)),
  apiKey: Type.Optional(uuid()),
  file: Type.Optional(
    uuid({
      description:
        "The runs of a file one by one, by its first run. Absent: a file is one item, with its totals.",
    }),
  ),
  having: Type.Optional(word(["created", "skipped", "failed"], "Runs with at least one such record.")),
  reason: Type.Optional(
    Type.Unsafe<number>({
      type: "integer",
      minimum: 1,
      maximum: 99,
      description: "Runs with a record that was skipped or failed for this reason.",
    }),
  ),
  from: Type.Optional(moment("Runs started at or after.")),
  to: Type.Optional(moment("Runs started before.")),
};
const RunsQuery = Type.Object({ ...bothWaysQuery, ...filters });
export type RunsQuery = Static<typeof RunsQuery>;

const list = { method: "GET", path: `${organization}/runs`, role: "viewer" } as const;

export const runOperations = {
  listRuns: {
    ...list,
    summary: "Import runs",
    description: "A filtered page can be short even if there are more: see nextCursor.",
    query: RunsQuery,
    answer: bothWaysPage(RunSummary),
  },
  downloadRuns: exportOf(list, {
    what: "Import runs",
    query: Type.Object({ ...exportStart, ...filters }),
  }),
  getRun: {
    method: "GET",
    path: `${organization}/runs/:referenceUuid`,
    role: "viewer",
    summary: "Get a run with its results and their explanations",
    answer: RunDetail,
  },
  downloadFailures: {
    method: "GET",
    path: `${organization}/runs/:referenceUuid/failures.:format`,
    role: "viewer",
    audited: true,
    summary: "Download the kept failures of a run",
    answer: download("text/csv", "application/x-ndjson"),
  },
} as const satisfies Record<string, ConsoleOperation>;

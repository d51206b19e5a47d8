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

const summaryFields = {
  ...ImportRunSummary.properties,
  /** Null: imported in the console by a signed-in person. */
  apiKey: nullable(KeyShown),
  /** Null: it was never taken back. */
  undone: nullable(UndoneSummary),
};
export const RunSummary = Type.Object(summaryFields, { $id: "RunSummary" });
export type RunSummary = Static<typeof RunSummary>;

export const FieldDifference = Type.Object(
  { field: Type.String(), stored: nullable(Type.String()), sent: nullable(Type.String()) },
  {
    $id: "FieldDifference",
    description: "Values as text, long ones cut; null: the field was absent on that side.",
  },
);
export type FieldDifference = Static<typeof FieldDifference>;

export const SentValue = Type.Object(
  {
    field: Type.String(),
    value: Type.String({
      description: "Text as it was sent, everything else as JSON; of objects and lists only what they are.",
    }),
    isCut: Type.Boolean({ description: "Only the beginning of it is kept." }),
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
        description: "The record was created, and is gone since the run was taken back.",
      }),
    ),
    deletedAt: Type.Optional(
      Type.Unsafe<string>({
        ...wireTimestamp(),
        description: "The record was created, and deleted when its time was over.",
      }),
    ),
    sent: Type.Optional(
      Type.Array(SentValue, { description: "Failed: what the wrong fields held, as far as it is kept." }),
    ),
    trace: Type.Optional(ResolutionTrace),
    differences: Type.Optional(
      Type.Array(FieldDifference, { description: "Skipped with another payload than the stored one." }),
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
    keptCount: count("How many of them the run has kept."),
    messages: Type.Array(
      Type.Object({
        message: Type.String({ description: "With the field that it is about." }),
        count: count("How many of the kept failures say so."),
        position: count("Of the first of them."),
        reference: Type.String({ description: "Of the first of them." }),
        values: Type.Array(Type.String(), {
          description: "Up to three different values that were sent there.",
        }),
      }),
      { description: "What was wrong, each once, most frequent first." },
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
    createdEntities: CreatedEntities,
    metadata: nullable(exactJson()),
    requestId: nullable(Type.String()),
    results: Type.Array(RunResult, { description: "By position. Of the failures, the first 100 are kept." }),
    failuresNotKept: count("How many more failures there were."),
    deleted: Type.Array(KindCount, {
      description: "What the run had created and was deleted when its time was over.",
    }),
    exceptionsDeletedAt: nullable(
      Type.Unsafe<string>({
        ...wireTimestamp(),
        description: "When its Skipped and Failed records were deleted; null: they are there.",
      }),
    ),
    sentValuesKeptDays: count("How long what failed records were sent with is kept; 0: it is not."),
    failureGroups: Type.Array(FailureGroup, { description: "Of the kept failures, most frequent first." }),
    differingCount: count("How many Skipped records differed from what is stored."),
    droppedSubscriptionCount: count(
      "How many nested subscriptions were dropped because no account was resolved.",
    ),
  },
  { $id: "RunDetail" },
);
export type RunDetail = Static<typeof RunDetail>;

const filters = {
  resource: Type.Optional(enumInteger(ImportResource)),
  status: Type.Optional(enumInteger(RunStatus)),
  apiKey: Type.Optional(uuid()),
  having: Type.Optional(word(["created", "skipped", "failed"], "Runs with at least one such record.")),
  reason: Type.Optional(
    Type.Unsafe<number>({
      type: "integer",
      minimum: 1,
      maximum: 99,
      description: "Runs with a record that was skipped or failed for it.",
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
    description: "A page with filters can be short although there are more: nextCursor says.",
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
    summary: "One run with its results and what explains them",
    answer: RunDetail,
  },
  downloadFailures: {
    method: "GET",
    path: `${organization}/runs/:referenceUuid/failures.:format`,
    role: "viewer",
    audited: true,
    summary: "The kept failures of a run as a file",
    answer: download("text/csv", "application/x-ndjson"),
  },
} as const satisfies Record<string, ConsoleOperation>;

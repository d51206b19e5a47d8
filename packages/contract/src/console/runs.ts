import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { RunStatus } from "../enums.js";
import { ImportResource } from "../import-resources.js";
import { CreatedEntities, ImportRunSummary } from "../schema/import-run.js";
import { enumInteger, uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { count, download, exactJson, moment, nullable, oneOfNumbers } from "./fields.js";
import { cursorPage, cursorQuery } from "./paging.js";
import { ResolutionTrace } from "./trace.js";

export const KeyShown = Type.Object(
  { uuid: uuid(), name: Type.String(), prefix: Type.String() },
  { $id: "KeyShown" },
);

const summaryFields = {
  ...ImportRunSummary.properties,
  /** Null: imported in the console by a signed-in person. */
  apiKey: nullable(KeyShown),
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

export const RunResult = Type.Object(
  {
    position: count("Index in the request, from 0."),
    reference: Type.String(),
    status: oneOfNumbers([1, 3, 4], "1 Created, 3 Skipped, 4 Failed."),
    uuid: Type.Optional(uuid()),
    reasonCode: Type.Optional(Type.Integer()),
    errorDetail: Type.Optional(Type.String()),
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
    examples: Type.Array(
      Type.Object({ position: count(), reference: Type.String(), errorDetail: Type.String() }),
      { description: "The first few, to look at." },
    ),
  },
  { $id: "FailureGroup" },
);
export type FailureGroup = Static<typeof FailureGroup>;

export const RunDetail = Type.Object(
  {
    ...summaryFields,
    createdEntities: CreatedEntities,
    metadata: nullable(exactJson()),
    requestId: nullable(Type.String()),
    results: Type.Array(RunResult, { description: "By position. Of the failures, the first 100 are kept." }),
    failuresNotKept: count("How many more failures there were."),
    failureGroups: Type.Array(FailureGroup, { description: "Of the kept failures, most frequent first." }),
    differingCount: count("How many Skipped records differed from what is stored."),
    droppedSubscriptionCount: count(
      "How many nested subscriptions were dropped because no account was resolved.",
    ),
  },
  { $id: "RunDetail" },
);
export type RunDetail = Static<typeof RunDetail>;

const RunsQuery = Type.Object({
  ...cursorQuery,
  resource: Type.Optional(enumInteger(ImportResource)),
  status: Type.Optional(enumInteger(RunStatus)),
  apiKey: Type.Optional(uuid()),
  from: Type.Optional(moment("Runs started at or after.")),
  to: Type.Optional(moment("Runs started before.")),
});
export type RunsQuery = Static<typeof RunsQuery>;

export const runOperations = {
  listRuns: {
    method: "GET",
    path: `${organization}/runs`,
    role: "viewer",
    summary: "Import runs",
    query: RunsQuery,
    answer: cursorPage(RunSummary),
  },
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

import type { Static } from "typebox";
import { Type } from "./type.js";
import { RecordStatus, RunStatus } from "../enums.js";
import { ImportResource } from "../import-resources.js";
import { ReasonCode } from "../reason-codes.js";
import { enumInteger, uuid } from "./fields.js";
import { paged, wireTimestamp } from "./answers.js";

const count = (description?: string) => Type.Integer({ minimum: 0, ...(description ? { description } : {}) });

export const RecordResult = Type.Object(
  {
    reference: Type.String({
      description: "transactionId or tpReferenceId as sent; empty if it is missing or no string.",
    }),
    status: enumInteger(RecordStatus),
    uuid: Type.Optional(uuid({ description: "On Created, and on Skipped the stored record's." })),
    reasonCode: Type.Optional(enumInteger(ReasonCode, { description: "On Skipped and Failed." })),
    errorDetail: Type.Optional(
      Type.String({ description: "On Skipped and Failed: what is wrong and where." }),
    ),
  },
  { $id: "RecordResult" },
);
export type RecordResult = Static<typeof RecordResult>;

export const CreatedEntities = Type.Object(
  { accounts: count(), contacts: count(), vehicles: count(), subscriptions: count() },
  {
    $id: "CreatedEntities",
    description: "Related entities that a transactions run created; otherwise zeros.",
  },
);
export type CreatedEntities = Static<typeof CreatedEntities>;

const summaryFields = {
  referenceUuid: uuid({ description: "Identifies the run." }),
  resource: enumInteger(ImportResource),
  status: enumInteger(RunStatus, {
    description: "Completed when no record failed, Failed when all did, PartialSuccess otherwise.",
  }),
  startedAt: wireTimestamp(),
  completedAt: wireTimestamp(),
  durationMs: count("Server-side processing time in milliseconds."),
  totalSubmitted: count("Length of the input."),
  successCount: count("Records that were created."),
  failedCount: count("Records that failed."),
  skippedCount: count("Records that were stored already."),
};

export const ImportRunSummary = Type.Object(summaryFields, { $id: "ImportRunSummary" });
export type ImportRunSummary = Static<typeof ImportRunSummary>;

export const ImportRun = Type.Object(
  {
    ...summaryFields,
    createdEntities: Type.Unsafe<CreatedEntities>(Type.Ref("CreatedEntities")),
    results: Type.Array(Type.Unsafe<RecordResult>(Type.Ref("RecordResult")), {
      description:
        "One outcome a record, in input order. A run that is fetched later keeps its first 100 failures; the counters keep the full numbers.",
    }),
  },
  { $id: "ImportRun" },
);
export type ImportRun = Static<typeof ImportRun>;

const { referenceUuid: _none, ...reportFields } = ImportRun.properties;
/** What the validate operations answer: the run that would have been, without an identity. */
export const ValidationReport = Type.Object(reportFields, { $id: "ValidationReport" });
export type ValidationReport = Static<typeof ValidationReport>;

export const ImportRunPage = paged("ImportRunPage", "ImportRunSummary", {} as ImportRunSummary);

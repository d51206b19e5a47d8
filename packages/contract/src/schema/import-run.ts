import type { Static } from "typebox";
import { Type } from "./type.js";
import { RecordStatus, RunStatus } from "../enums.js";
import { ImportResource } from "../import-resources.js";
import { ReasonCode, storedWithOtherValues } from "../reason-codes.js";
import { enumInteger, uuid } from "./fields.js";
import { paged, wireTimestamp } from "./answers.js";

const count = (description?: string) => Type.Integer({ minimum: 0, ...(description ? { description } : {}) });

export const RecordResult = Type.Object(
  {
    reference: Type.String({
      description: "transactionId or tpReferenceId as sent; empty if missing or not a string.",
    }),
    status: enumInteger(RecordStatus),
    uuid: Type.Optional(uuid({ description: "On Created; on Skipped, the uuid of the stored record." })),
    reasonCode: Type.Optional(enumInteger(ReasonCode, { description: "On Skipped and Failed." })),
    errorDetail: Type.Optional(
      Type.String({
        description: `On Failed: what is wrong and where. On Skipped: the record is already stored; "${storedWithOtherValues}" and names of fields if the stored record has other values.`,
      }),
    ),
  },
  { $id: "RecordResult" },
);
export type RecordResult = Static<typeof RecordResult>;

export const CreatedEntities = Type.Object(
  { accounts: count(), contacts: count(), vehicles: count(), subscriptions: count() },
  {
    $id: "CreatedEntities",
    description: "Related entities that a transactions run created; zeros for other runs.",
  },
);
export type CreatedEntities = Static<typeof CreatedEntities>;

const summaryFields = {
  referenceUuid: uuid({ description: "Identifies the run." }),
  resource: enumInteger(ImportResource),
  status: enumInteger(RunStatus, {
    description: "Completed if no record failed, Failed if all did, PartialSuccess otherwise.",
  }),
  startedAt: wireTimestamp(),
  completedAt: wireTimestamp(),
  durationMs: count("Server-side processing time in milliseconds."),
  totalSubmitted: count("Number of records in the request."),
  successCount: count("Records that were created."),
  failedCount: count("Records that failed."),
  skippedCount: count("Records that were already stored."),
};

export const ImportRunSummary = Type.Object(summaryFields, { $id: "ImportRunSummary" });
export type ImportRunSummary = Static<typeof ImportRunSummary>;

export const ImportRun = Type.Object(
  {
    ...summaryFields,
    createdEntities: Type.Unsafe<CreatedEntities>(Type.Ref("CreatedEntities")),
    results: Type.Array(Type.Unsafe<RecordResult>(Type.Ref("RecordResult")), {
      description:
        "One outcome per record, in input order. A stored run keeps its first 100 failures; the counters are always complete.",
    }),
  },
  { $id: "ImportRun" },
);
export type ImportRun = Static<typeof ImportRun>;

const { referenceUuid: _none, ...reportFields } = ImportRun.properties;
/** The response of the validate operations: a run without identity, since nothing is stored. */
export const ValidationReport = Type.Object(reportFields, { $id: "ValidationReport" });
export type ValidationReport = Static<typeof ValidationReport>;

export const ImportRunPage = paged("ImportRunPage", "ImportRunSummary", {} as ImportRunSummary);

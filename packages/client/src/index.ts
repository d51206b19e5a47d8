export {
  createClient,
  type CallOptions,
  type ClientOptions,
  type GatehouseClient,
  type ImportOptions,
  type LeadOptions,
  type ListQuery,
  type Page,
  type PageQuery,
  type RecordOf,
} from "./client.js";
export { RecordTooLargeError } from "./batches.js";
export * from "./constants.js";
export * from "./errors.js";
export type { ImportAllOptions, ImportedBatch, ImportedRecord, ImportedRun } from "./import-batches.js";
export type { CreatedRecord, FailedRecord, RecordOutcome, SkippedRecord } from "./outcomes.js";
export { checkReceipt, ReceiptError, type ReceiptProblem, type ReceiptToCheck } from "./receipts.js";
export type { Fetch, Pause } from "./request.js";
export type { RetryPolicy } from "./retry.js";
export type {
  NewUpload,
  OutcomesQuery,
  SendOptions,
  UploadMethods,
  UploadSource,
  UploadStart,
  WaitOptions,
} from "./uploads.js";
export type {
  Account,
  Contact,
  ImportRun,
  ImportRunSummary,
  KeptMapping,
  Lead,
  LeadAccepted,
  Location,
  Receipt,
  ReceiptKey,
  ReceiptKeySet,
  RecordResult,
  Subscription,
  Transaction,
  Upload,
  UploadDetail,
  UploadOutcome,
  ValidationReport,
  Vehicle,
} from "@gatehouse-parking/contract";

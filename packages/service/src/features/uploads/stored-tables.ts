import { isObject, isUuid, maxUploadReferenceLength, RecordStatus } from "@gatehouse-parking/contract";
import {
  recordKinds,
  uploadPasses,
  uploadStates,
  type KindCount,
  type UploadProblem,
} from "@gatehouse-parking/contract/console";
import { headerShape, toMapping, type Finding } from "@gatehouse-parking/record-files";
import {
  count,
  flag,
  integer,
  jsonText,
  largeCount,
  moment,
  name,
  nullable,
  text,
  timeOrderedUuid,
  uuid,
  word,
} from "../../core/stored-tables/domains.js";
import {
  hasMembers,
  isCount,
  isListOf,
  isNullOr,
  isObjectOfAnything,
  isOneOf,
  isReason,
  isText,
  isTextList,
  type Guard,
} from "../../core/stored-tables/json-shapes.js";
import {
  fieldsOf,
  idKey,
  type KeyColumn,
  type RowValues,
  type Section,
} from "../../core/stored-tables/section.js";
import { actor, resource, sentences, together } from "../../core/stored-tables/shared-domains.js";
import { batchCheck } from "../../core/verify/batches.js";
import { statementCheck, summary, type Check } from "../../core/verify/check.js";
import { maxFileNameLength } from "./limits.js";
import { maxMappingNameLength } from "./mappings.js";
import { leftOutStatus, type RowOutcome } from "./outcomes.js";

const isUploadProblemList = isListOf(
  hasMembers<UploadProblem>({
    field: isText,
    message: isText,
    reasonCode: isNullOr(isReason),
    example: isNullOr(isText),
    line: isCount,
    count: isCount,
  }),
);

/** A code of a later release may be stored. */
const isFindingList = isListOf(
  hasMembers<Finding>({
    code: isText,
    data: isObjectOfAnything,
    rows: isCount,
    examples: isListOf((value) => isObject(value) && isCount(value["line"])),
  }),
);

const isKindCountList = isListOf(hasMembers<KindCount>({ kind: isOneOf(recordKinds), count: isCount }));

type TupleGuards<T extends readonly unknown[]> = { [index in keyof T]: Guard };
function isTuple(...guards: readonly Guard[]): Guard {
  return (value) =>
    Array.isArray(value) &&
    value.length === guards.length &&
    guards.every((guard, index) => guard(value[index]));
}

const rowOutcomeGuards: TupleGuards<RowOutcome> = [
  isCount,
  isOneOf([leftOutStatus, ...Object.values(RecordStatus)]),
  isNullOr((value) => typeof value === "string" && isUuid(value)),
  isNullOr(isReason),
  isNullOr(isText),
  isText,
  isTextList,
];
const isRowOutcome = isTuple(...rowOutcomeGuards);
const isRowOutcomeList = isListOf(isRowOutcome);

/** A valid mapping file of gatehouse-push. */
const isMapping: Guard = (value) => {
  if (!isObject(value)) return false;
  try {
    toMapping(value);
    return true;
  } catch {
    return false;
  }
};

const finalStates = ["finished", "cancelled", "paused", "stopped"];
/** Exports contain uploads whose file is imported or deleted. Others are work in progress of this installation. */
const isFinal = `(not stored.is_file_kept and stored.state in (${finalStates.map((state) => `'${state}'`).join(", ")}))`;

/** Selects rows of the current pass of these uploads. */
const isOfFinalPass = `stored.pass_number = (
  select whole.pass_number from uploads as whole
  where whole.organization_id = $1 and whole.id = stored.upload_id and ${isFinal.replaceAll("stored.", "whole.")})`;

const correctionKey: readonly KeyColumn[] = [
  { name: "upload_id", type: "uuid" },
  { name: "pass_number", type: "integer" },
  { name: "row_number", type: "bigint" },
  { name: "attempt", type: "integer" },
];

function areRowsCounted(values: RowValues): boolean {
  const rows = JSON.parse(values.get("rows") ?? "[]") as RowOutcome[];
  const counted = (status: number) => String(rows.filter((row) => row[1] === status).length);
  return (
    values.get("rowCount") === String(rows.length) &&
    values.get("createdCount") === counted(RecordStatus.Created) &&
    values.get("skippedCount") === counted(RecordStatus.Skipped) &&
    values.get("failedCount") === counted(RecordStatus.Failed)
  );
}

/** For exports and `gatehouse verify`. */
export const uploadTables: readonly Section[] = [
  {
    kind: "upload",
    table: "uploads",
    says: "Uploads whose file is imported or deleted, and their results. Uploads that still have their file are not exported; the last line counts them.",
    key: idKey,
    only: isFinal,
    fields: fieldsOf({
      "uuid id": timeOrderedUuid,
      fileName: name(maxFileNameLength),
      reference: nullable(name(maxUploadReferenceLength)),
      state: word(uploadStates),
      pass: nullable(word(uploadPasses)),
      mapping: nullable(jsonText("must be the content of a mapping file, as JSON", isMapping)),
      reading: nullable(sentences),
      columns: nullable(jsonText("must be a list of strings, as JSON", isTextList)),
      problems: jsonText("must be a list of problems, as JSON", isUploadProblemList),
      findings: jsonText("must be a list of findings, as JSON", isFindingList),
      problem: nullable(sentences),
      undoneBy: nullable(actor),
      undoneRecords: jsonText("must be a list of {kind, count}, as JSON", isKindCountList),
      createdBy: actor,
      sizeBytes: integer(1, Number.MAX_SAFE_INTEGER),
      receivedBytes: largeCount,
      keptBytes: largeCount,
      resource,
      passNumber: count,
      readBytes: largeCount,
      decidedRows: largeCount,
      createdCount: largeCount,
      skippedCount: largeCount,
      conflictCount: largeCount,
      setAsideCount: largeCount,
      failedCount: largeCount,
      runCount: count,
      otherProblemRows: largeCount,
      totalRows: nullable(largeCount),
      undoPosition: largeCount,
      undoneRuns: count,
      undoKeptCount: largeCount,
      ignoreUnknownColumns: flag,
      isInsistent: flag,
      undoneAt: nullable(moment),
      createdAt: moment,
      changedAt: moment,
    }),
    rules: [
      together("undoneBy", "undoneAt"),
      {
        field: "state",
        must: `must be one of ${finalStates.join(", ")}`,
        isKept: (values) => finalStates.includes(values.get("state") ?? ""),
        inExportsOnly: true,
      },
      {
        field: "pass",
        must: "must not be undo without undoneAt and at least one run",
        isKept: (values) =>
          values.get("pass") !== "undo" ||
          (values.get("undoneAt") !== null && Number(values.get("runCount")) > 0),
      },
    ],
    isSettled: false,
    computed: [{ column: "is_file_kept", value: () => "f" }],
  },
  {
    kind: "uploadBatch",
    table: "upload_batches",
    says: "Outcomes of the rows of these uploads, batch by batch.",
    key: [
      { name: "upload_id", type: "uuid" },
      { name: "pass_number", type: "integer" },
      { name: "first_row", type: "bigint" },
    ],
    boundBy: { column: "upload_id", section: "upload" },
    only: isOfFinalPass,
    fields: fieldsOf({
      "uploadUuid upload_id": uuid,
      "referenceUuid run_id": nullable(uuid),
      passNumber: count,
      firstRow: largeCount,
      rowCount: integer(1, 2 ** 31 - 1),
      firstLine: largeCount,
      lastLine: largeCount,
      createdCount: count,
      skippedCount: count,
      conflictCount: count,
      failedCount: count,
      rows: jsonText("must be a list of the outcomes of rows, as JSON", isRowOutcomeList),
    }),
    rules: [
      {
        field: "rows",
        must: "must match rowCount, createdCount, skippedCount and failedCount",
        isKept: areRowsCounted,
      },
    ],
    isSettled: false,
  },
  {
    kind: "uploadCorrection",
    table: "upload_corrections",
    says: "Rows of these uploads that somebody corrected and sent again, each attempt on a line.",
    key: correctionKey,
    boundBy: { column: "upload_id", section: "upload" },
    only: isOfFinalPass,
    fields: fieldsOf({
      "uploadUuid upload_id": uuid,
      "referenceUuid run_id": nullable(uuid),
      passNumber: count,
      rowNumber: integer(1, Number.MAX_SAFE_INTEGER),
      attempt: integer(1, 2 ** 31 - 1),
      correction: count,
      status: integer(0, 4),
      outcome: jsonText("must be the outcome of a row, as JSON", isRowOutcome),
      correctedBy: actor,
      correctedAt: moment,
    }),
    rules: [
      {
        field: "status",
        must: "must be the status of outcome",
        isKept: (values) =>
          values.get("status") === String((JSON.parse(values.get("outcome") ?? "[]") as RowOutcome)[1]),
      },
    ],
    isSettled: false,
  },
  {
    kind: "mapping",
    table: "mappings",
    says: "Saved mappings.",
    key: idKey,
    fields: fieldsOf({
      "uuid id": timeOrderedUuid,
      name: name(maxMappingNameLength),
      // The import computes it again, because lower case differs between databases.
      nameKey: text(maxMappingNameLength * 3),
      shape: text(16),
      columns: jsonText("must be a list of strings, as JSON", isTextList),
      mapping: jsonText("must be the content of a mapping file, as JSON", isMapping),
      changedBy: actor,
      resource,
      changedAt: moment,
    }),
    rules: [
      {
        field: "shape",
        must: "must be the shape of columns",
        isKept: (values) =>
          values.get("shape") === headerShape(JSON.parse(values.get("columns") ?? "[]") as string[]),
      },
    ],
    isSettled: false,
  },
];

/** Selects rows that belong to no upload in its current pass. */
const withoutUpload = `left join lateral (
     select true as found from uploads as upload
     where upload.organization_id = $1 and upload.id = batch.upload_id and upload.pass_number = batch.pass_number
     limit 1
   ) as upload on true
   where upload.found is null`;

export const uploadChecks: readonly Check[] = [
  statementCheck(
    "counters: uploads store the outcome of each processed row",
    summary(`
      select upload.id, coalesce(kept.rows, 0) as read,
             coalesce(kept.rows, 0) <> upload.decided_rows
               or upload.decided_rows < upload.created_count + upload.skipped_count + upload.failed_count as is_wrong
      from uploads as upload
      left join (
        select upload_id, pass_number, sum(row_count) as rows
        from upload_batches where organization_id = $1 group by 1, 2
      ) as kept on kept.upload_id = upload.id and kept.pass_number = upload.pass_number
      where upload.organization_id = $1`),
    "uploads",
  ),
  // The batches of a removed upload are deleted later.
  {
    ...batchCheck(
      "links: upload_batches.upload_id refers to a row of uploads, in its current pass",
      {
        table: "upload_batches",
        key: [
          { name: "upload_id", type: "uuid" },
          { name: "pass_number", type: "integer" },
          { name: "first_row", type: "bigint" },
        ],
        columns: [],
      },
      withoutUpload,
    ),
    inExportsOnly: true,
  },
  {
    ...batchCheck(
      "links: upload_corrections.upload_id refers to a row of uploads, in its current pass",
      { table: "upload_corrections", key: correctionKey, columns: [] },
      withoutUpload,
    ),
    inExportsOnly: true,
  },
];

import { isObject, isUuid, RecordStatus } from "@gatehouse-parking/contract";
import {
  recordKinds,
  uploadPasses,
  uploadStates,
  type KindCount,
  type UploadProblem,
} from "@gatehouse-parking/contract/console";
import { headerShape, toMapping } from "@gatehouse-parking/record-files";
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
  isOneOf,
  isReason,
  isText,
  isTextList,
  type Guard,
} from "../../core/stored-tables/json-shapes.js";
import { fieldsOf, idKey, type RowValues, type Section } from "../../core/stored-tables/section.js";
import { actor, resource, sentences, together } from "../../core/stored-tables/shared-domains.js";
import { maxFileNameLength, maxMappingNameLength, type RowOutcome } from "./row-outcome.js";

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

const isKindCountList = isListOf(hasMembers<KindCount>({ kind: isOneOf(recordKinds), count: isCount }));

/** One for each place of a tuple. */
type Places<T extends readonly unknown[]> = { [index in keyof T]: Guard };
function isTuple(...guards: readonly Guard[]): Guard {
  return (value) =>
    Array.isArray(value) &&
    value.length === guards.length &&
    guards.every((guard, index) => guard(value[index]));
}

const rowOutcomeGuards: Places<RowOutcome> = [
  isCount,
  isOneOf(Object.values(RecordStatus)),
  isNullOr((value) => typeof value === "string" && isUuid(value)),
  isNullOr(isReason),
  isNullOr(isText),
  isText,
  isTextList,
];
const isRowOutcomeList = isListOf(isTuple(...rowOutcomeGuards));

/** Content that gatehouse-push would accept as a mapping file. */
const isMapping: Guard = (value) => {
  if (!isObject(value)) return false;
  try {
    toMapping(value);
    return true;
  } catch {
    return false;
  }
};

const overStates = ["finished", "cancelled", "paused", "stopped"];
/** An upload that has its file is work in progress on this installation; one that is over is history. */
const isOver = `(not stored.is_file_kept and stored.state in (${overStates.map((state) => `'${state}'`).join(", ")}))`;

function countsAreThoseOfRows(values: RowValues): boolean {
  const rows = JSON.parse(values.get("rows") ?? "[]") as RowOutcome[];
  const counted = (status: number) => String(rows.filter((row) => row[1] === status).length);
  return (
    values.get("rowCount") === String(rows.length) &&
    values.get("createdCount") === counted(RecordStatus.Created) &&
    values.get("skippedCount") === counted(RecordStatus.Skipped) &&
    values.get("failedCount") === counted(RecordStatus.Failed)
  );
}

/** What uploads store, for exports and `gatehouse verify`. */
export const uploadTables: readonly Section[] = [
  {
    kind: "upload",
    table: "uploads",
    says: "Uploads whose file is imported or gone, and how each came out. Those that still have their file are work of this installation and are left out; the last line counts them.",
    key: idKey,
    only: isOver,
    fields: fieldsOf({
      "uuid id": timeOrderedUuid,
      fileName: name(maxFileNameLength),
      state: word(uploadStates),
      pass: nullable(word(uploadPasses)),
      mapping: nullable(jsonText("must be the content of a mapping file, as JSON", isMapping)),
      reading: nullable(sentences),
      columns: nullable(jsonText("must be a list of strings, as JSON", isTextList)),
      problems: jsonText("must be a list of problems, as JSON", isUploadProblemList),
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
        must: `must be one of ${overStates.join(", ")}`,
        isKept: (values) => overStates.includes(values.get("state") ?? ""),
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
    says: "What became of the rows of these uploads, batch by batch.",
    key: [
      { name: "upload_id", type: "uuid" },
      { name: "pass_number", type: "integer" },
      { name: "first_row", type: "bigint" },
    ],
    boundBy: { column: "upload_id", section: "upload" },
    only: `stored.pass_number = (
      select whole.pass_number from uploads as whole
      where whole.organization_id = $1 and whole.id = stored.upload_id and ${isOver.replaceAll("stored.", "whole.")})`,
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
      failedCount: count,
      rows: jsonText("must be a list of the outcomes of rows, as JSON", isRowOutcomeList),
    }),
    rules: [
      {
        field: "rows",
        must: "must be as many as rowCount, createdCount, skippedCount and failedCount say",
        isKept: countsAreThoseOfRows,
      },
    ],
    isSettled: false,
  },
  {
    kind: "mapping",
    table: "mappings",
    says: "Mappings that people keep for files.",
    key: idKey,
    fields: fieldsOf({
      "uuid id": timeOrderedUuid,
      name: name(maxMappingNameLength),
      // The import makes it again, because databases differ in what lower case is.
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

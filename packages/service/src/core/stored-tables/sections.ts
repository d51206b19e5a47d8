import { randomBytes } from "node:crypto";
import {
  captchaTypes,
  entities,
  importResourceNames,
  importResources,
  maxLeadNoteLength,
  maxMetadataDepth,
  ReasonCode,
  RecordStatus,
  RunStatus,
} from "@gatehouse-parking/contract";
import { leadWorkStates, uploadPasses, uploadStates } from "@gatehouse-parking/contract/console";
import { headerShape } from "@gatehouse-parking/record-files";
import { nowMs } from "../clock.js";
import { copyHex, sqlTimestamp } from "../database/copy-text.js";
import { storedLead, storedLocation } from "../entities/entities.js";
import { maxApiKeyNameLength } from "../organizations/api-keys.js";
import { maxEmailLength } from "../organizations/account-email.js";
import { maxFileNameLength, maxMappingNameLength, type RowOutcome } from "./uploads.js";
import {
  bytes,
  choice,
  count,
  flag,
  integer,
  json,
  jsonObject,
  jsonText,
  largeCount,
  moment,
  name,
  nullable,
  shaped,
  text,
  timeOrderedUuid,
  uuid,
  word,
} from "./domains.js";
import { entitySections, matchKeysOf, sentFields } from "./entity-sections.js";
import * as shapes from "./json-shapes.js";
import { fieldsOf, idKey, type KeyColumn, type RowRule, type RowValues, type Section } from "./section.js";

const ofRun = { column: "run_id", section: "run" };
const ofLead = { column: "lead_id", section: "lead" };
const runAndPosition: readonly KeyColumn[] = [
  { name: "run_id", type: "uuid" },
  { name: "position", type: "integer" },
];

/** "command line", or the e-mail address of a person. */
const actor = name(maxEmailLength);
/** Of a client: IPv4 or IPv6. */
const address = text(100);
const reference = text(128);
/** Sentences that the service wrote, about everything that is wrong with one record at most. */
const sentences = text(65_536);
const sha256 = bytes(32);
const resource = choice(importResourceNames.map((each) => importResources[each].resource));

/** Both are given, or neither is. */
function together(field: string, other: string): RowRule {
  return {
    field,
    must: `must be null if ${other} is, and only then`,
    isKept: (values) => (values.get(field) === null) === (values.get(other) === null),
  };
}

const overStates = ["finished", "cancelled", "paused", "stopped"];
/** An upload that has its file is work in progress on this installation; one that is over is history. */
export const isOver = `(not stored.is_file_kept and stored.state in (${overStates.map((state) => `'${state}'`).join(", ")}))`;

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

/** Everything of an organization that an export has, in its order. */
export const sections: readonly Section[] = [
  {
    kind: "apiKey",
    table: "api_keys",
    says: "Names of the keys that runs and leads came with. A key itself, its hash and its settings never leave; the import makes keys of these names that are revoked.",
    key: idKey,
    fields: fieldsOf({
      "uuid id": timeOrderedUuid,
      name: name(maxApiKeyNameLength),
      prefix: text(32),
      createdAt: moment,
    }),
    isSettled: false,
    mayBeThere: true,
    computed: [
      { column: "permissions", value: () => "{}" },
      // Random, so that nobody can send a key with this hash.
      { column: "hash", value: () => copyHex(randomBytes(32).toString("hex")) },
      { column: "revoked_at", value: () => sqlTimestamp(nowMs()) },
    ],
  },
  {
    kind: "location",
    table: "locations",
    says: "Locations, as they are now.",
    key: idKey,
    fields: [
      // Whoever creates a location may choose its uuid.
      ...fieldsOf({ "uuid id": uuid }),
      ...sentFields(storedLocation),
      ...fieldsOf({ createdAt: moment, updatedAt: moment }),
    ],
    isSettled: true,
  },
  ...entitySections,
  {
    kind: "run",
    table: "import_runs",
    says: "Import runs with their counters and metadata, and whether they were taken back. Their results are the records they made, their exceptions and their undone records.",
    key: idKey,
    fields: fieldsOf({
      "referenceUuid id": timeOrderedUuid,
      resource,
      status: choice(Object.values(RunStatus)),
      startedAt: moment,
      completedAt: moment,
      durationMs: count,
      totalSubmitted: count,
      successCount: count,
      failedCount: count,
      skippedCount: count,
      createdAccounts: count,
      createdContacts: count,
      createdVehicles: count,
      createdSubscriptions: count,
      metadata: nullable(jsonObject(maxMetadataDepth)),
      failedByReason: nullable(json("must be an object of counts by reason code", shapes.isReasonCounts)),
      "apiKeyUuid api_key_id": nullable(uuid),
      requestId: nullable(text(64)),
      undoneBy: nullable(actor),
      undoneVersion: nullable(text(64)),
      undoneAt: nullable(moment),
      exceptionsDeletedAt: nullable(moment),
      undoneCount: count,
      deletedRecords: nullable(json("must be an object of counts by table", shapes.isDeletedCounts)),
    }),
    isSettled: true,
  },
  {
    kind: "exception",
    table: "import_exceptions",
    says: "Records of runs that were not created: all Skipped ones and the first 100 Failed, with the differences that were noted.",
    key: runAndPosition,
    boundBy: ofRun,
    fields: fieldsOf({
      "referenceUuid run_id": uuid,
      "recordUuid record_id": nullable(uuid),
      position: count,
      status: choice([RecordStatus.Skipped, RecordStatus.Failed]),
      reasonCode: choice(Object.values(ReasonCode)),
      reference: nullable(reference),
      errorDetail: nullable(sentences),
      unusableReference: nullable(json("must be a string", shapes.isText)),
      differences: nullable(json("must be a list of {field, stored, sent}", shapes.isDifferenceList)),
    }),
    isSettled: true,
  },
  {
    kind: "sentValues",
    table: "import_sent_values",
    says: "What failed records had in their wrong fields, as long as it is kept.",
    key: runAndPosition,
    boundBy: ofRun,
    fields: fieldsOf({
      "referenceUuid run_id": uuid,
      position: count,
      sent: json("must be a list of {field, value, isCut}", shapes.isSentValueList),
    }),
    isSettled: false,
  },
  {
    kind: "undoneRecord",
    table: "undo_records",
    says: "What runs that were taken back had created: removed, or left because something refers to it.",
    key: [{ name: "record_id", type: "uuid" }],
    boundBy: ofRun,
    fields: fieldsOf({
      "recordUuid record_id": timeOrderedUuid,
      "referenceUuid run_id": uuid,
      "recordKind kind": word(entities.map(({ plural }) => plural)),
      reference: nullable(reference),
      position: count,
      isRemoved: flag,
    }),
    isSettled: true,
  },
  {
    kind: "deletedRecord",
    table: "deleted_records",
    says: "Records that were deleted because their time was over, and whose keys stay known.",
    key: [{ name: "record_id", type: "uuid" }],
    boundBy: ofRun,
    fields: fieldsOf({
      "recordUuid record_id": timeOrderedUuid,
      "referenceUuid run_id": uuid,
      "recordKind kind": word(importResourceNames),
      reference,
      position: count,
      deletedAt: moment,
    }),
    isSettled: false,
  },
  {
    kind: "repeatedRun",
    table: "repeated_runs",
    says: "Runs that ended as an earlier one did and have their exceptions there, and those earlier ones.",
    key: [{ name: "run_id", type: "uuid" }],
    boundBy: ofRun,
    fields: fieldsOf({ "referenceUuid run_id": uuid, sameAs: nullable(uuid), exceptionsHash: sha256 }),
    isSettled: true,
  },
  {
    kind: "lead",
    table: "leads",
    says: "Leads, quarantined ones included, with how they came in.",
    key: idKey,
    fields: [
      ...sentFields(storedLead),
      ...fieldsOf({
        "uuid id": timeOrderedUuid,
        duplicateOf: nullable(uuid),
        "apiKeyUuid api_key_id": uuid,
        state: word(["accepted", "quarantined"]),
        stateChangedBy: nullable(actor),
        captchaType: nullable(word(captchaTypes)),
        address,
        userAgent: nullable(text(512)),
        idempotencyKey: nullable(shaped("must have 1 to 255 printable characters", /^[\x20-\x7e]{1,255}$/)),
        stateChangedAt: nullable(moment),
        createdAt: moment,
        captchaResult: nullable(json("must be an object", shapes.isObjectOfAnything)),
        bodyHash: nullable(sha256),
      }),
    ],
    rules: [together("bodyHash", "idempotencyKey"), together("stateChangedBy", "stateChangedAt")],
    isSettled: true,
    computed: matchKeysOf(storedLead),
  },
  {
    kind: "leadWork",
    table: "lead_work",
    says: "What people did with leads.",
    key: [{ name: "lead_id", type: "uuid" }],
    boundBy: ofLead,
    fields: fieldsOf({
      "leadUuid lead_id": uuid,
      state: word(leadWorkStates),
      changedBy: actor,
      changedAt: moment,
    }),
    isSettled: false,
  },
  {
    kind: "leadNote",
    table: "lead_notes",
    says: "What people noted about leads.",
    key: [
      { name: "lead_id", type: "uuid" },
      { name: "id", type: "uuid" },
    ],
    boundBy: ofLead,
    fields: fieldsOf({
      "leadUuid lead_id": uuid,
      "uuid id": timeOrderedUuid,
      "authorUuid author_id": uuid,
      author: actor,
      note: name(maxLeadNoteLength),
      createdAt: moment,
    }),
    isSettled: false,
  },
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
      mapping: nullable(jsonText("must be the content of a mapping file, as JSON", shapes.isMapping)),
      reading: nullable(sentences),
      columns: nullable(jsonText("must be a list of strings, as JSON", shapes.isTextList)),
      problems: jsonText("must be a list of problems, as JSON", shapes.isUploadProblemList),
      problem: nullable(sentences),
      undoneBy: nullable(actor),
      undoneRecords: jsonText("must be a list of {kind, count}, as JSON", shapes.isKindCountList),
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
      rows: jsonText("must be a list of the outcomes of rows, as JSON", shapes.isRowOutcomeList),
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
      columns: jsonText("must be a list of strings, as JSON", shapes.isTextList),
      mapping: jsonText("must be the content of a mapping file, as JSON", shapes.isMapping),
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
  {
    kind: "audit",
    table: "audit_log",
    says: "The audit log.",
    key: idKey,
    fields: fieldsOf({
      "uuid id": timeOrderedUuid,
      "subjectUuid subject_id": nullable(uuid),
      at: moment,
      actor,
      action: shaped("must be a noun and a verb, such as api-key.create", /^[a-z-]{1,64}\.[a-z-]{1,64}$/),
      address: nullable(address),
      detail: json("must be an object", shapes.isObjectOfAnything),
    }),
    isSettled: false,
    mayBeThere: true,
  },
];

export function sectionNamed(kind: string): Section | undefined {
  return sections.find((section) => section.kind === kind);
}

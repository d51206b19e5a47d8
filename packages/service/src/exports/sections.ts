import { randomBytes } from "node:crypto";
import { emailKey } from "@gatehouse-parking/contract";
import { nowMs } from "../clock.js";
import { copyHex, copyText, sqlTimestamp } from "../database/copy-text.js";
import { entitySections } from "./entity-sections.js";
import { fieldsOf, idKey, type KeyColumn, type Section } from "./section.js";

const ofRun = { column: "run_id", section: "run" };
const ofLead = { column: "lead_id", section: "lead" };
const runAndPosition: readonly KeyColumn[] = [
  { name: "run_id", type: "uuid" },
  { name: "position", type: "integer" },
];

/** An upload that has its file is work under way on this installation; one that is over is history. */
export const isOver =
  "(not stored.is_file_kept and stored.state in ('finished', 'cancelled', 'paused', 'stopped'))";

/** Everything of an organization that an export has, in its order. */
export const sections: readonly Section[] = [
  {
    kind: "apiKey",
    table: "api_keys",
    says: "Names of the keys that runs and leads came with. A key itself, its hash and its settings never leave; the import makes keys of these names that are revoked.",
    key: idKey,
    fields: fieldsOf({ uuid: ["uuid id"], text: ["name", "prefix"], moment: ["createdAt"] }),
    isSettled: false,
    mayBeThere: true,
    computed: [
      { column: "permissions", value: () => "{}" },
      // Random, so that no key that anybody could send has this hash.
      { column: "hash", value: () => copyHex(randomBytes(32).toString("hex")) },
      { column: "revoked_at", value: () => sqlTimestamp(nowMs()) },
    ],
  },
  {
    kind: "location",
    table: "locations",
    says: "Locations, as they are now.",
    key: idKey,
    fields: fieldsOf({
      uuid: ["uuid id"],
      text: ["name", "address", "city", "state", "zipcode", "timeZone"],
      flag: ["isActive"],
    }).concat(fieldsOf({ text: ["tpReferenceId"], moment: ["createdAt", "updatedAt"] })),
    isSettled: true,
  },
  ...entitySections,
  {
    kind: "run",
    table: "import_runs",
    says: "Import runs with their counters and metadata, and whether they were taken back. Their results are the records they made, their exceptions and their undone records.",
    key: idKey,
    fields: [
      ...fieldsOf({ uuid: ["referenceUuid id"], integer: ["resource", "status"] }),
      ...fieldsOf({ moment: ["startedAt", "completedAt"] }),
      ...fieldsOf({
        integer: [
          ...["durationMs", "totalSubmitted", "successCount", "failedCount", "skippedCount"],
          ...["createdAccounts", "createdContacts", "createdVehicles", "createdSubscriptions"],
        ],
        json: ["metadata", "failedByReason"],
        uuid: ["apiKeyUuid api_key_id"],
        text: ["requestId", "undoneBy", "undoneVersion"],
        moment: ["undoneAt", "exceptionsDeletedAt"],
      }),
      ...fieldsOf({ integer: ["undoneCount"], json: ["deletedRecords"] }),
    ],
    isSettled: true,
  },
  {
    kind: "exception",
    table: "import_exceptions",
    says: "Records of runs that were not created: all Skipped ones and the first 100 Failed, with the differences that were noted.",
    key: runAndPosition,
    boundBy: ofRun,
    fields: fieldsOf({
      uuid: ["referenceUuid run_id", "recordUuid record_id"],
      integer: ["position", "status", "reasonCode"],
      text: ["reference", "errorDetail"],
      json: ["unusableReference", "differences"],
    }),
    isSettled: true,
  },
  {
    kind: "sentValues",
    table: "import_sent_values",
    says: "What failed records had in their wrong fields, as long as it is kept.",
    key: runAndPosition,
    boundBy: ofRun,
    fields: fieldsOf({ uuid: ["referenceUuid run_id"], integer: ["position"], json: ["sent"] }),
    isSettled: false,
  },
  {
    kind: "undoneRecord",
    table: "undo_records",
    says: "What runs that were taken back had created: removed, or left because something refers to it.",
    key: [{ name: "record_id", type: "uuid" }],
    boundBy: ofRun,
    fields: fieldsOf({
      uuid: ["recordUuid record_id", "referenceUuid run_id"],
      text: ["recordKind kind", "reference"],
      integer: ["position"],
      flag: ["isRemoved"],
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
      uuid: ["recordUuid record_id", "referenceUuid run_id"],
      text: ["recordKind kind", "reference"],
      integer: ["position"],
      moment: ["deletedAt"],
    }),
    isSettled: false,
  },
  {
    kind: "repeatedRun",
    table: "repeated_runs",
    says: "Runs that ended as an earlier one did and have their exceptions there, and those earlier ones.",
    key: [{ name: "run_id", type: "uuid" }],
    boundBy: ofRun,
    fields: fieldsOf({ uuid: ["referenceUuid run_id", "sameAs"], bytes: ["exceptionsHash"] }),
    isSettled: true,
  },
  {
    kind: "lead",
    table: "leads",
    says: "Leads, quarantined ones included, with how they came in.",
    key: idKey,
    fields: fieldsOf({
      uuid: ["uuid id", "locationUuid location_id", "duplicateOf", "apiKeyUuid api_key_id"],
      text: [
        ...["email", "firstName", "lastName", "companyName", "phone", "estimatedStartDateString", "source"],
        ...["sourceDetails", "notes", "formName", "slug", "referrerUrl", "state", "stateChangedBy"],
        ...["captchaType", "address", "userAgent", "idempotencyKey"],
      ],
      moment: ["estimatedStartDate", "stateChangedAt", "createdAt"],
      json: ["metadata", "captchaResult"],
      bytes: ["bodyHash"],
    }),
    isSettled: true,
    computed: [{ column: "email_key", value: (values) => copyText(emailKey(values.get("email") ?? "")) }],
  },
  {
    kind: "leadWork",
    table: "lead_work",
    says: "What people did with leads.",
    key: [{ name: "lead_id", type: "uuid" }],
    boundBy: ofLead,
    fields: fieldsOf({
      uuid: ["leadUuid lead_id"],
      text: ["state", "changedBy"],
      moment: ["changedAt"],
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
      uuid: ["leadUuid lead_id", "uuid id", "authorUuid author_id"],
      text: ["author", "note"],
      moment: ["createdAt"],
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
      uuid: ["uuid id"],
      text: [
        ...["fileName", "state", "pass", "mapping", "reading", "columns", "problems", "problem", "undoneBy"],
        ...["undoneRecords", "createdBy"],
      ],
      integer: [
        ...["sizeBytes", "receivedBytes", "keptBytes", "resource", "passNumber", "readBytes", "decidedRows"],
        ...["createdCount", "skippedCount", "failedCount", "runCount", "otherProblemRows", "totalRows"],
        ...["undoPosition", "undoneRuns", "undoKeptCount"],
      ],
      flag: ["ignoreUnknownColumns", "isInsistent"],
      moment: ["undoneAt", "createdAt", "changedAt"],
    }),
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
      uuid: ["uploadUuid upload_id", "referenceUuid run_id"],
      integer: [
        ...["passNumber", "firstRow", "rowCount", "firstLine", "lastLine"],
        ...["createdCount", "skippedCount", "failedCount"],
      ],
      text: ["rows"],
    }),
    isSettled: false,
  },
  {
    kind: "mapping",
    table: "mappings",
    says: "Mappings that people keep for files.",
    key: idKey,
    fields: fieldsOf({
      uuid: ["uuid id"],
      text: ["name", "nameKey", "shape", "columns", "mapping", "changedBy"],
      integer: ["resource"],
      moment: ["changedAt"],
    }),
    isSettled: false,
  },
  {
    kind: "audit",
    table: "audit_log",
    says: "The audit log.",
    key: idKey,
    fields: fieldsOf({
      uuid: ["uuid id", "subjectUuid subject_id"],
      moment: ["at"],
      text: ["actor", "action", "address"],
      json: ["detail"],
    }),
    isSettled: false,
    mayBeThere: true,
  },
];

export function sectionNamed(kind: string): Section | undefined {
  return sections.find((section) => section.kind === kind);
}

import { randomBytes } from "node:crypto";
import {
  captchaTypes,
  entities,
  importResourceNames,
  maxLeadNoteLength,
  maxMetadataDepth,
  ReasonCode,
  RecordStatus,
  RunStatus,
} from "@gatehouse-parking/contract";
import { leadWorkStates } from "@gatehouse-parking/contract/console";
import { nowMs } from "../clock.js";
import { copyHex, sqlTimestamp } from "../database/copy-text.js";
import { storedLead, storedLocation } from "../entities/entities.js";
import { maxApiKeyNameLength } from "../organizations/api-keys.js";
import {
  bytes,
  choice,
  count,
  flag,
  json,
  jsonObject,
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
import { actor, resource, sentences, together } from "./shared-domains.js";
import * as shapes from "./json-shapes.js";
import { fieldsOf, idKey, runAndPosition, type Section } from "./section.js";

const ofRun = { column: "run_id", section: "run" };
const ofLead = { column: "lead_id", section: "lead" };

/** Of a client: IPv4 or IPv6. */
const address = text(100);
const reference = text(128);
const sha256 = bytes(32);

/** The tables of the core, in the order of an export. */
const coreSections: readonly Section[] = [
  {
    kind: "apiKey",
    table: "api_keys",
    says: "Names of the keys that imports and leads were sent with. A key itself, its hash and its settings are never exported; the import of an export creates revoked keys with these names.",
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
      // Random, so that a key with this hash cannot be guessed.
      { column: "hash", value: () => copyHex(randomBytes(32).toString("hex")) },
      { column: "revoked_at", value: () => sqlTimestamp(nowMs()) },
    ],
  },
  {
    kind: "location",
    table: "locations",
    says: "Locations in their current state.",
    key: idKey,
    fields: [
      // The creator of a location can choose its uuid.
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
    says: "Import runs with their counters and metadata, and whether they were undone. Their results are the records they created, their exceptions and their undone records.",
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
      "fileReferenceUuid file_run_id": nullable(uuid),
    }),
    isSettled: true,
  },
  {
    kind: "exception",
    table: "import_exceptions",
    says: "Records that were not created: all Skipped ones and the first 100 Failed of each run, with the differences of resent records.",
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
    kind: "undoneRecord",
    table: "undo_records",
    says: "Records of undone runs: removed, or left because another record refers to them.",
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
    says: "Records that retention has deleted and whose keys are remembered.",
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
    says: "Identical resends, which refer to the exceptions of an earlier run, and these earlier runs.",
    key: [{ name: "run_id", type: "uuid" }],
    boundBy: ofRun,
    fields: fieldsOf({ "referenceUuid run_id": uuid, sameAs: nullable(uuid), exceptionsHash: sha256 }),
    isSettled: true,
  },
  {
    kind: "lead",
    table: "leads",
    says: "Leads, including quarantined ones, with the address and user agent of their request.",
    key: idKey,
    fields: [
      ...sentFields(storedLead),
      ...fieldsOf({
        "uuid id": timeOrderedUuid,
        duplicateOf: nullable(uuid),
        "apiKeyUuid api_key_id": uuid,
        state: word(["accepted", "quarantined"]),
        stateChangedBy: nullable(actor),
        assigneeKey: nullable(actor),
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
    says: "The work state of leads.",
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
    says: "Notes on leads.",
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

/**
 * All sections of an export, in order. Sections of features come before the audit log, or after the section
 * that they name.
 */
export async function sectionsOf(features: readonly WithStoredTables[]): Promise<readonly Section[]> {
  const sections = [...coreSections];
  for (const { storedTables } of features)
    for (const section of (await storedTables?.()) ?? []) {
      const previous = sections.findIndex(({ kind }) => kind === section.after);
      sections.splice(previous === -1 ? sections.length - 1 : previous + 1, 0, section);
    }
  return sections;
}

interface WithStoredTables {
  readonly storedTables?: () => Promise<readonly Section[]>;
}

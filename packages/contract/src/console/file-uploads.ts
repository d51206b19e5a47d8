import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { importResourceNames } from "../import-resources.js";
import { maxPieceRequestBytes, uploadPieceBytes, maxMappingBytes } from "../limits.js";
import { flag, uuid } from "../schema/fields.js";
import { wireTimestamp } from "../schema/answers.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { clamped, count, described, download, nullable, typed, word } from "./fields.js";
import { exportOf, exportStart } from "./exports.js";
import { bothWaysPage, bothWaysQuery } from "./paging.js";
import { UploadUndone, UploadUndoPreview } from "./undo.js";

/**
 * receiving: pieces of the file are missing. received: the file is complete and nothing has started. waiting: in the
 * queue for a free instance. working: being checked, imported or undone. paused: by a person.
 * finished: all rows are processed, or all runs are undone. stopped: by the service, see `problem`. cancelled: by a person, permanently.
 */
export const uploadStates = [
  "receiving",
  "received",
  "waiting",
  "working",
  "paused",
  "finished",
  "stopped",
  "cancelled",
] as const;
export type UploadState = (typeof uploadStates)[number];

/** A check does everything that an import does and stores nothing. An undo deletes what the runs of an import created. */
export const uploadPasses = ["check", "import", "undo"] as const;
export type UploadPass = (typeof uploadPasses)[number];

export const uploadActions = [
  "send",
  "start",
  "pause",
  "resume",
  "cancel",
  "correct",
  "undo",
  "remove",
] as const;
export type UploadAction = (typeof uploadActions)[number];

/**
 * ownUpload: another upload of the organization is processed. otherUploads: uploads of other organizations are. partners: requests
 * with API keys come first. database: it is unavailable. instance: the instance has failed; another one continues within half a
 * minute.
 */
export const uploadWaits = ["ownUpload", "otherUploads", "partners", "database", "instance"] as const;
export type UploadWait = (typeof uploadWaits)[number];

const outcomeCounts = { created: count(), skipped: count(), failed: count() };

const uploadFields = {
  uuid: uuid(),
  fileName: Type.String(),
  size: count("Size of the file in bytes, as sent."),
  receivedBytes: count("The offset of the next piece."),
  resource: word(importResourceNames),
  state: word(uploadStates),
  pass: nullable(
    word(
      uploadPasses,
      "The current or latest operation. The fields below describe it, or the import that it undoes.",
    ),
  ),
  /** What can be done in its current state, regardless of the caller's role. */
  actions: Type.Array(word(uploadActions)),
  progress: Type.Number({
    description: "Progress of the operation, 0 to 1, by rows or by runs undone.",
  }),
  rows: count("Rows processed."),
  ...outcomeCounts,
  conflicts: count(
    "Skipped rows whose stored record has other values: two records may have the same reference by mistake. They are among those skipped.",
  ),
  leftOut: count("Rows that the mapping leaves out. They are among the rows processed."),
  setAside: count(
    "Lines of the file that are not records, such as totals and notes. They are not among the rows.",
  ),
  runCount: count("Import runs; a check makes none."),
  problem: nullable(Type.String({ description: "Why it stopped, in words." })),
  createdBy: Type.String({
    description: "The email address of the person, or the name of the API key, that uploaded it.",
  }),
  createdAt: wireTimestamp(),
  changedAt: wireTimestamp(),
  keptUntil: wireTimestamp(),
  isFileKept: flag({ description: "A file is deleted once it is imported completely or cancelled." }),
  reference: nullable(
    Type.String({ description: "What a program calls the upload; unique in the organization." }),
  ),
};
export const Upload = Type.Object(uploadFields, { $id: "Upload" });
export type Upload = Static<typeof Upload>;

export const UploadProblem = Type.Object(
  {
    field: Type.String({
      description:
        'Such as contact.email, or "contact.email or contact.phoneNumber" if either would do; "" if the problem concerns the whole row.',
    }),
    message: Type.String({ description: "The same for all rows with this problem, without their values." }),
    reasonCode: nullable(
      Type.Integer({ description: "Null: the mapping could not turn the row into a record." }),
    ),
    example: nullable(Type.String({ description: "A value that was sent, shortened if it is long." })),
    line: count("The line of the example in the file."),
    count: count("Rows with this problem."),
  },
  { $id: "UploadProblem" },
);
export type UploadProblem = Static<typeof UploadProblem>;

export const UploadFinding = Type.Object(
  {
    code: Type.String({ description: "Such as exitBeforeEntry. Later releases may add codes." }),
    data: Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description: "What the message names, such as the field.",
    }),
    message: Type.String({ description: "In words. If there are rows, it follows their number." }),
    advice: Type.String({ description: "What to do about it." }),
    rows: count("Rows that it is about; 0 if it is not about single rows."),
    examples: Type.Array(
      Type.Object({
        line: count("Of the file."),
        value: Type.Optional(Type.String({ description: "As in the record, shortened if it is long." })),
        otherLine: Type.Optional(count("The line of the earlier row with the same id.")),
      }),
      { description: "The first rows." },
    ),
  },
  { $id: "UploadFinding" },
);
export type UploadFinding = Static<typeof UploadFinding>;

/** The content of a mapping file, in the format of gatehouse-push. */
export const mappingContent = (description?: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: "object",
    additionalProperties: true,
    ...described(description),
  });

export const UploadDetail = Type.Object(
  {
    ...uploadFields,
    mapping: nullable(mappingContent("Of the pass.")),
    ignoreUnknownColumns: flag(),
    reading: nullable(
      Type.String({
        description: "Unusual ways in which the file is read, in words.",
      }),
    ),
    columns: nullable(Type.Array(Type.String(), { description: "Known once reading has started." })),
    problems: Type.Array(UploadProblem, {
      description: "The problems of the failed rows, most frequent first.",
    }),
    otherProblemRows: count("Rows with problems beyond those listed."),
    findings: Type.Array(UploadFinding, {
      description:
        "Unusual rows that can be imported: with values that are left out, assumed or implausible. Most rows first.",
    }),
    totalRows: nullable(count("Rows of the file, counted before the first one is processed.")),
    secondsLeft: nullable(count("An estimate, while it is being processed.")),
    waitsFor: nullable(
      word(uploadWaits, "Why it is not being processed right now. Null: it is, or it will be soon."),
    ),
    undone: nullable(UploadUndone),
  },
  { $id: "UploadDetail" },
);
export type UploadDetail = Static<typeof UploadDetail>;

export const UploadStorage = Type.Object(
  {
    maxFileBytes: count(),
    storedBytes: count("Storage that the organization's files and kept rows use."),
    maxStoredBytes: count(),
    uploads: count(),
    maxUploads: count(),
    keptDays: count("Days after its last change, an upload is deleted with its rows; its runs stay."),
    pieceBytes: count("Pieces start at multiples of this."),
    maxRequestBytes: count("The largest body of one request."),
  },
  { $id: "UploadStorage", description: "The limits of uploads and their current use." },
);
export type UploadStorage = Static<typeof UploadStorage>;

export const UploadRun = Type.Object(
  {
    referenceUuid: uuid(),
    firstLine: count("Of the file."),
    lastLine: count(),
    rows: count("Rows of the file, including those that could not be sent."),
    ...outcomeCounts,
    isUndone: flag({ description: "It was undone; the counts are those of the import." }),
  },
  { $id: "UploadRun" },
);
export type UploadRun = Static<typeof UploadRun>;

export const UploadFailure = Type.Object(
  {
    row: count("Starts at 1; header and blank lines are not counted."),
    line: count("Of the file."),
    reference: Type.String(),
    reasonCode: nullable(Type.Integer({ description: "Null: it could not be sent." })),
    message: Type.String(),
    cells: Type.Array(Type.String(), {
      description: "The row as in the file or as last corrected; see `columns`.",
    }),
    attempt: count("How often somebody has corrected it."),
    correctedBy: nullable(Type.String({ description: "The email address of the last person who did." })),
  },
  { $id: "UploadFailure" },
);
export type UploadFailure = Static<typeof UploadFailure>;

/** The longest row that can be corrected in the console, and the largest request with corrected rows. */
export const correctionLimits = { rowBytes: 64 * 1024, requestBytes: 1024 * 1024 } as const;

export const UploadCorrection = Type.Object(
  {
    number: count("Starts at 1."),
    referenceUuid: nullable(Type.String({ description: "Its import run. Null: no row could be sent." })),
    by: Type.String({ description: "The email address of the person who corrected the rows." }),
    at: wireTimestamp(),
    rows: count(),
    ...outcomeCounts,
    isUndone: flag(),
  },
  { $id: "UploadCorrection", description: "Failed rows that were corrected and sent together." },
);
export type UploadCorrection = Static<typeof UploadCorrection>;

export const CorrectedRows = Type.Object(
  {
    ...outcomeCounts,
    notSent: Type.Array(
      Type.Object({
        row: count(),
        by: nullable(
          Type.String({ description: "The email address of the person who corrected it before." }),
        ),
      }),
      { description: "Rows that somebody else has corrected in the meantime. They were not sent again." },
    ),
  },
  { $id: "CorrectedRows" },
);
export type CorrectedRows = Static<typeof CorrectedRows>;

/** More rows than any file may have. */
const maxRow = 1_000_000_000;
export const rowsQuery = (sizes: { default: number; maximum: number }) => ({
  after: Type.Optional(clamped({ minimum: 0, maximum: maxRow, default: 0 })),
  limit: Type.Optional(clamped({ minimum: 1, ...sizes })),
});
const RowsQuery = Type.Object(rowsQuery({ default: 50, maximum: 100 }));

/** Rows to look at: failed ones, and skipped ones whose stored record has other values. */
export const rowChoices = ["failed", "conflicts"] as const;
export type RowChoice = (typeof rowChoices)[number];
export const rowChoice = {
  rows: Type.Optional(
    word(rowChoices, "conflicts: the rows whose stored record has other values, instead of the failed ones."),
  ),
};
/** In the order of the file. */
const rowsPage = <T extends typeof UploadRun | typeof UploadFailure | typeof UploadCorrection>(item: T) =>
  Type.Object({
    data: Type.Array(item),
    nextAfter: nullable(
      Type.Integer({ description: "Pass it in `after` of the next request; null on the last page." }),
    ),
  });

const uploads = `${organization}/uploads` as const;
const upload = `${uploads}/:uploadUuid` as const;
const list = { method: "GET", path: uploads, role: "viewer" } as const;
const filters = {
  state: Type.Optional(word(uploadStates)),
  resource: Type.Optional(word(importResourceNames)),
};
const UploadsQuery = Type.Object({ ...bothWaysQuery, ...filters });
export type UploadsQuery = Static<typeof UploadsQuery>;
const change = { method: "POST", role: "admin", audited: true, answer: Upload } as const;

export const fileUploadOperations = {
  listUploads: {
    ...list,
    summary: "Uploaded files",
    query: UploadsQuery,
    answer: bothWaysPage(Upload),
  },
  downloadUploads: exportOf(list, {
    what: "List of uploads",
    query: Type.Object({ ...exportStart, ...filters }),
  }),
  getUploadStorage: {
    method: "GET",
    path: `${organization}/upload-storage`,
    role: "viewer",
    summary: "Get the limits of uploads and their current use",
    answer: UploadStorage,
  },
  createUpload: {
    ...change,
    path: uploads,
    summary: "Announce a file",
    description:
      "409 if it is too large for the limits of the organization. With an Idempotency-Key, repeated requests return the same upload.",
    body: Type.Object({
      fileName: typed(),
      size: Type.Integer({ minimum: 1, description: "Bytes." }),
      resource: word(importResourceNames),
    }),
  },
  getUpload: {
    method: "GET",
    path: upload,
    role: "viewer",
    summary: "Get an upload with the problems of its rows",
    answer: UploadDetail,
  },
  sendUploadPiece: {
    method: "POST",
    path: `${upload}/pieces`,
    role: "admin",
    summary: "Send a piece of the file",
    description: `The bytes of the file from \`offset\`. \`offset\` is a multiple of ${uploadPieceBytes}, and so is the length, except at the end of the file. Sending a piece again is safe: it is skipped. 409 if earlier pieces are missing: continue at \`receivedBytes\` of getUpload.`,
    query: Type.Object({
      offset: Type.Integer({ minimum: 0 }),
    }),
    bytes: true,
    maxBytes: maxPieceRequestBytes,
    answer: Type.Object({ receivedBytes: count("The offset of the next piece.") }),
  },
  completeUpload: {
    method: "POST",
    path: `${upload}/complete`,
    role: "admin",
    summary: "Complete the upload",
    description: `The service verifies the file: \`sha256\` is the SHA-256, in hexadecimal digits, of the concatenated SHA-256s (32 bytes each) of every ${uploadPieceBytes} bytes of the file. 409 if pieces are missing or belong to another file: cancel the upload and start again.`,
    body: Type.Object({ sha256: typed() }),
    answer: Upload,
  },
  startUpload: {
    ...change,
    path: `${upload}/start`,
    summary: "Check or import the file from the beginning",
    description:
      "Discards the outcomes of an earlier check. 409 once an import has stored records of the file: resume that import instead.",
    body: Type.Object({
      validateOnly: flag({ description: "A check: nothing is stored." }),
      mapping: Type.Optional(mappingContent("Absent: the columns have the names of the fields.")),
      ignoreUnknownColumns: Type.Optional(
        flag({ description: "Whether to ignore columns that neither the mapping nor a field names." }),
      ),
    }),
    maxBytes: maxMappingBytes,
  },
  pauseUpload: {
    ...change,
    path: `${upload}/pause`,
    summary: "Pause after the current batch",
  },
  resumeUpload: {
    ...change,
    path: `${upload}/resume`,
    summary: "Resume after a pause or a stop",
    description: "Also continues an upload that stopped because its first rows all failed.",
  },
  cancelUpload: {
    ...change,
    path: `${upload}/cancel`,
    summary: "Cancel after the current batch and delete the file",
    description: "Imported records stay, and so do the outcomes of the rows so far.",
  },
  previewUploadUndo: {
    method: "GET",
    path: `${upload}/undo`,
    role: "admin",
    summary: "Preview undoing an upload",
    answer: UploadUndoPreview,
  },
  undoUpload: {
    ...change,
    path: `${upload}/undo`,
    summary: "Undo an upload in the background",
    description:
      "Undoes its runs one by one, newest first: deletes what they created, except records that something else refers to. The outcomes of the rows stay; the file is deleted. 409 while the upload is being processed, or if nothing can be undone.",
  },
  removeUpload: {
    ...change,
    method: "DELETE",
    path: upload,
    summary: "Delete an upload with its rows and outcomes",
    description: "409 while it is being processed. Its runs stay.",
    answer: Type.Void(),
  },
  listUploadRuns: {
    method: "GET",
    path: `${upload}/runs`,
    role: "viewer",
    summary: "List the import runs of an upload",
    query: RowsQuery,
    answer: rowsPage(UploadRun),
  },
  listUploadFailures: {
    method: "GET",
    path: `${upload}/failures`,
    role: "viewer",
    summary: "List the failed rows as they are in the file",
    query: Type.Object({ ...RowsQuery.properties, ...rowChoice }),
    answer: rowsPage(UploadFailure),
  },
  correctUploadRows: {
    ...change,
    path: `${upload}/corrections`,
    summary: "Send corrected rows of an upload again",
    description:
      "Imports failed rows with corrected cells as part of the same upload, with its mapping, in one run. `attempt` is that of the row as it was shown: a row that was corrected in the meantime is not sent, so repeating a request is safe. 409 while the upload is being processed, or after it was undone.",
    body: Type.Object({
      rows: Type.Array(
        Type.Object({
          row: Type.Integer({ minimum: 1, maximum: maxRow }),
          attempt: Type.Integer({ minimum: 0, maximum: maxRow }),
          cells: Type.Array(Type.String()),
        }),
        { description: "At most as many as one import of the records may have." },
      ),
    }),
    maxBytes: correctionLimits.requestBytes,
    answer: CorrectedRows,
  },
  listUploadCorrections: {
    method: "GET",
    path: `${upload}/corrections`,
    role: "viewer",
    summary: "List the corrections of an upload, newest first",
    query: RowsQuery,
    answer: rowsPage(UploadCorrection),
  },
  downloadUploadCorrections: {
    method: "GET",
    path: `${upload}/corrections.csv`,
    role: "viewer",
    audited: true,
    summary: "Download every attempt of every corrected row",
    answer: download("text/csv"),
  },
  downloadUploadOutcomes: {
    method: "GET",
    path: `${upload}/outcomes.csv`,
    role: "viewer",
    audited: true,
    summary: "Download every row with its outcome, uuid and message",
    answer: download("text/csv"),
  },
  downloadUploadFailures: {
    method: "GET",
    path: `${upload}/failures.csv`,
    role: "viewer",
    audited: true,
    summary: "Download the failed rows, to correct and upload them again with the same mapping",
    query: Type.Object(rowChoice),
    answer: download("text/csv"),
  },
} as const satisfies Record<string, ConsoleOperation>;

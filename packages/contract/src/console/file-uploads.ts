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
 * receiving: pieces of the file are missing. received: all are there, and nothing was started yet. waiting: it is to be
 * worked on as soon as an instance is free. working: it is being checked, imported or taken back. paused: by a person.
 * finished: all rows are decided, or all runs taken back. stopped: by the service, and `problem` says why. cancelled: by a person, for good.
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

/** A check goes the whole way of an import and stores nothing. An undo takes the runs of an import back. */
export const uploadPasses = ["check", "import", "undo"] as const;
export type UploadPass = (typeof uploadPasses)[number];

export const uploadActions = ["send", "start", "pause", "resume", "cancel", "undo", "remove"] as const;
export type UploadAction = (typeof uploadActions)[number];

const outcomeCounts = { created: count(), skipped: count(), failed: count() };

const uploadFields = {
  uuid: uuid(),
  fileName: Type.String(),
  size: count("Bytes of the file as it is sent."),
  receivedBytes: count("Where the next piece begins."),
  resource: word(importResourceNames),
  state: word(uploadStates),
  pass: nullable(
    word(
      uploadPasses,
      "What is or was done last; everything below is about it, or about the import that is taken back.",
    ),
  ),
  /** What can be done with it as it is, whoever asks. */
  actions: Type.Array(word(uploadActions)),
  progress: Type.Number({
    description: "Of the pass, by the bytes that are read or the runs that are taken back: 0 to 1.",
  }),
  rows: count("Rows that are decided."),
  ...outcomeCounts,
  runCount: count("Import runs; a check makes none."),
  problem: nullable(Type.String({ description: "Why it was stopped, for people." })),
  createdBy: Type.String({ description: "The e-mail address of whoever sent it." }),
  createdAt: wireTimestamp(),
  changedAt: wireTimestamp(),
  keptUntil: wireTimestamp(),
  isFileKept: flag({ description: "A file is dropped as soon as it is imported completely, or cancelled." }),
};
export const Upload = Type.Object(uploadFields, { $id: "Upload" });
export type Upload = Static<typeof Upload>;

export const UploadProblem = Type.Object(
  {
    field: Type.String({
      description:
        'Such as contact.email, or contact.email or contact.phoneNumber if one of them would do; "" if it is about the row as a whole.',
    }),
    message: Type.String({ description: "The same for all rows that have it, whatever their values." }),
    reasonCode: nullable(
      Type.Integer({ description: "Null: the row could not be made into a record by its mapping." }),
    ),
    example: nullable(Type.String({ description: "A value that was sent, cut if it is long." })),
    line: count("Where the example stands in the file."),
    count: count("Rows that have it."),
  },
  { $id: "UploadProblem" },
);
export type UploadProblem = Static<typeof UploadProblem>;

/** The content of a mapping file, as gatehouse-push takes it. */
export const mappingContent = (description?: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: "object", ...described(description) });

export const UploadDetail = Type.Object(
  {
    ...uploadFields,
    mapping: nullable(mappingContent("Of the pass.")),
    ignoreUnknownColumns: flag(),
    reading: nullable(
      Type.String({
        description: "How the file is read where that is not what everybody expects, in words.",
      }),
    ),
    columns: nullable(Type.Array(Type.String(), { description: "Known once the pass has begun to read." })),
    problems: Type.Array(UploadProblem, {
      description: "What is wrong with the rows that failed, most frequent first.",
    }),
    otherProblemRows: count("Rows whose problems are too many different ones to be listed."),
    totalRows: nullable(count("Known once a pass has read the whole file.")),
    undone: nullable(UploadUndone),
  },
  { $id: "UploadDetail" },
);
export type UploadDetail = Static<typeof UploadDetail>;

export const UploadStorage = Type.Object(
  {
    maxFileBytes: count(),
    storedBytes: count("What files and kept rows of the organization take."),
    maxStoredBytes: count(),
    uploads: count(),
    maxUploads: count(),
    keptDays: count("After its last change an upload is removed, with its rows; its runs stay."),
    pieceBytes: count("Pieces begin at multiples of this."),
    maxRequestBytes: count("How much one request may bring."),
  },
  { $id: "UploadStorage", description: "The limits of uploads, and how far they are used." },
);
export type UploadStorage = Static<typeof UploadStorage>;

export const UploadRun = Type.Object(
  {
    referenceUuid: uuid(),
    firstLine: count("Of the file."),
    lastLine: count(),
    rows: count("Rows of the file; those that could not be sent are among them."),
    ...outcomeCounts,
    isUndone: flag({ description: "It was taken back; the counts are those of its import." }),
  },
  { $id: "UploadRun" },
);
export type UploadRun = Static<typeof UploadRun>;

export const UploadFailure = Type.Object(
  {
    row: count("Counted from 1, without header and blank lines."),
    line: count("Of the file."),
    reference: Type.String(),
    reasonCode: nullable(Type.Integer({ description: "Null: it could not be sent." })),
    message: Type.String(),
    cells: Type.Array(Type.String(), { description: "The row as it is in the file; see `columns`." }),
  },
  { $id: "UploadFailure" },
);
export type UploadFailure = Static<typeof UploadFailure>;

/** Far more rows than any file may have. */
const maxRow = 1_000_000_000;
const rowsQuery = Type.Object({
  after: Type.Optional(clamped({ minimum: 0, maximum: maxRow, default: 0 })),
  limit: Type.Optional(clamped({ minimum: 1, maximum: 100, default: 50 })),
});
/** In the order of the file. */
const rowsPage = <T extends typeof UploadRun | typeof UploadFailure>(item: T) =>
  Type.Object({
    data: Type.Array(item),
    nextAfter: nullable(
      Type.Integer({ description: "Goes into `after` of the next request; null: this was the last page." }),
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
    what: "The list of uploads",
    query: Type.Object({ ...exportStart, ...filters }),
  }),
  getUploadStorage: {
    method: "GET",
    path: `${organization}/upload-storage`,
    role: "viewer",
    summary: "The limits of uploads, and how far they are used",
    answer: UploadStorage,
  },
  createUpload: {
    ...change,
    path: uploads,
    summary: "Announce a file",
    description:
      "409 if it is too large for the limits of the organization. With an Idempotency-Key the same upload is answered however often it is sent.",
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
    summary: "One upload with what is wrong with its rows",
    answer: UploadDetail,
  },
  sendUploadPiece: {
    method: "POST",
    path: `${upload}/pieces`,
    role: "admin",
    summary: "Send a part of the file",
    description: `The bytes of the file from \`offset\` on. \`offset\` is a multiple of ${uploadPieceBytes}, and so is the length, except at the end of the file. A part that is there already is passed over, so that it can be sent again; 409 if the parts before it are missing: then go on at \`receivedBytes\` of getUpload.`,
    query: Type.Object({
      offset: Type.Integer({ minimum: 0 }),
    }),
    bytes: true,
    maxBytes: maxPieceRequestBytes,
    answer: Type.Object({ receivedBytes: count("Where the next piece begins.") }),
  },
  completeUpload: {
    method: "POST",
    path: `${upload}/complete`,
    role: "admin",
    summary: "Say that all of the file was sent",
    description: `The service compares what it has with the file: \`sha256\` is the SHA-256, in hexadecimal digits, of the SHA-256s (32 bytes each, one after the other) of every ${uploadPieceBytes} bytes of the file. 409 if parts are missing, or if they are of another file: then cancel, and send it anew.`,
    body: Type.Object({ sha256: typed() }),
    answer: Upload,
  },
  startUpload: {
    ...change,
    path: `${upload}/start`,
    summary: "Check or import the file from its beginning",
    description:
      "The outcomes of a check before it are dropped. 409 once an import has stored records of it: that one can be resumed.",
    body: Type.Object({
      validateOnly: flag({ description: "A check: nothing is stored." }),
      mapping: Type.Optional(mappingContent("Absent: the columns are called as fields are.")),
      ignoreUnknownColumns: Type.Optional(
        flag({ description: "Columns that the mapping does not mention and no field is called." }),
      ),
    }),
    maxBytes: maxMappingBytes,
  },
  pauseUpload: {
    ...change,
    path: `${upload}/pause`,
    summary: "Pause after the batch at hand",
  },
  resumeUpload: {
    ...change,
    path: `${upload}/resume`,
    summary: "Go on where it was paused or stopped",
    description: "One that was stopped because its first rows all failed goes on all the same.",
  },
  cancelUpload: {
    ...change,
    path: `${upload}/cancel`,
    summary: "Cancel after the batch at hand, and drop the file",
    description: "Records that were imported stay. What became of the rows so far can be looked at.",
  },
  previewUploadUndo: {
    method: "GET",
    path: `${upload}/undo`,
    role: "admin",
    summary: "What taking an upload back would do",
    answer: UploadUndoPreview,
  },
  undoUpload: {
    ...change,
    path: `${upload}/undo`,
    summary: "Take back what an upload has imported, in the background",
    description:
      "Its runs are taken back one by one, the newest first: what they created is removed, except what something else refers to. What became of the rows can still be looked at; the file is dropped. 409 while it is worked on, or if nothing of it can be taken back.",
  },
  removeUpload: {
    ...change,
    method: "DELETE",
    path: upload,
    summary: "Remove an upload with everything that is kept of it",
    description: "409 while it is worked on. Its runs stay.",
    answer: Type.Void(),
  },
  listUploadRuns: {
    method: "GET",
    path: `${upload}/runs`,
    role: "viewer",
    summary: "The import runs of an upload",
    query: rowsQuery,
    answer: rowsPage(UploadRun),
  },
  listUploadFailures: {
    method: "GET",
    path: `${upload}/failures`,
    role: "viewer",
    summary: "All rows that failed, as they are in the file",
    query: rowsQuery,
    answer: rowsPage(UploadFailure),
  },
  downloadUploadOutcomes: {
    method: "GET",
    path: `${upload}/outcomes.csv`,
    role: "viewer",
    audited: true,
    summary: "Every row with the columns of the file, and outcome, uuid and message",
    answer: download("text/csv"),
  },
  downloadUploadFailures: {
    method: "GET",
    path: `${upload}/failures.csv`,
    role: "viewer",
    audited: true,
    summary: "The rows that failed, to be corrected and uploaded again with the same mapping",
    answer: download("text/csv"),
  },
} as const satisfies Record<string, ConsoleOperation>;

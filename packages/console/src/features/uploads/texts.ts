import type { Upload, UploadWait } from "@gatehouse-parking/contract/console";
import { formatBytes, pluralize } from "../../core/ui/format.js";

const every = (text: string) => ({ check: text, import: text, undo: text });

type StatusTexts = Record<NonNullable<Upload["pass"]> | "label", string>;

export const texts = {
  title: "Uploads",
  description: "Files that were uploaded here.",
  descriptionInProgress:
    "Files that were uploaded here. Processing continues in the background. You can close this page.",
  uploadFile: "Upload a file",
  columns: {
    file: "File",
    records: "Records",
    status: "Status",
    rows: "Rows",
    created: "Created",
    skipped: "Skipped",
    failed: "Failed",
    by: "Uploaded by",
    started: "Started",
    changed: "Changed",
  },
  empty: {
    title: "No file has been uploaded yet",
    text: "Export transactions, accounts or subscriptions from your parking system and upload the file without changing it.",
  },
  /** By what the service does with the file. `label` is the choice in the filter. */
  statuses: {
    receiving: { label: "Receiving", ...every("Upload incomplete") },
    received: { label: "Received", ...every("Uploaded") },
    waiting: {
      label: "Waiting",
      check: "Waiting to be checked",
      import: "Waiting to be imported",
      undo: "Waiting to be undone",
    },
    working: {
      label: "Working",
      check: "Checking",
      import: "Importing",
      undo: "Undoing",
    },
    paused: { label: "Paused", check: "Check paused", import: "Import paused", undo: "Undo paused" },
    finished: { label: "Finished", check: "Checked", import: "Imported", undo: "Undone" },
    stopped: { label: "Stopped", check: "Check stopped", import: "Import stopped", undo: "Undo stopped" },
    cancelled: { label: "Cancelled", ...every("Cancelled"), undo: "Undo cancelled" },
  } satisfies Record<Upload["state"], StatusTexts>,
  progress: {
    stopped: "Processing stopped",
    rows: (done: number, all: number | null) =>
      `${done.toLocaleString("en")}${all === null ? "" : ` of ${all.toLocaleString("en")}`} rows`,
    countingRows: "Counting rows",
    timeLeft: (seconds: number) =>
      seconds < 60 ? "Less than a minute left" : `About ${pluralize(Math.ceil(seconds / 60), "minute")} left`,
    waits: {
      ownUpload:
        "Waits for another upload of this organization. Uploads of an organization are processed one at a time.",
      otherUploads: "Waits for uploads of other organizations.",
      partners: "Waits for imports that were sent with API keys. They come first.",
      database: "Waits for the database, which is unavailable. Processing continues as soon as it answers.",
      instance:
        "The instance that processed this upload has stopped. Another one continues within half a minute.",
    } satisfies Record<UploadWait, string>,
    percent: (percent: number, done: string) => `${percent} % ${done}`,
    passDone: { check: "checked", import: "imported", undo: "undone" },
    wouldBeCreated: "Would be created",
    alreadyStored: "Already stored",
    wouldFail: "Would fail",
    skipped: "Skipped: already stored",
    conflicts: "Conflicts",
    leftOut: "Left out",
    setAside: "Set aside",
  },
  page: {
    unloaded: "Upload",
    notFound: "Uploads are deleted some time after their last change. Their imports stay.",
    description: (records: string, by: string) => `${records}, uploaded by ${by}`,
    incomplete: (received: number, size: number) =>
      `${formatBytes(received)} of ${formatBytes(size)} have been uploaded. If no upload is in progress, choose Continue uploading and select the same file. Only the missing part is sent.`,
    continue: "Continue uploading",
    changeMapping: "Change mapping",
    mapColumns: "Map columns",
    importTitle: "Import",
    import: "Import file",
    pause: "Pause",
    resume: "Resume",
    cancel: "Cancel",
    allOutcomes: "Download all outcomes",
    remove: "Remove",
  },
  details: {
    title: "About this upload",
    sentBy: "Uploaded by",
    changed: "Last change",
    size: "Size",
    format: "Read as",
    keptUntil: "Kept until",
    keptDays: (days: number) => `, ${pluralize(days, "day")} after its last change`,
    mapping: "Mapping",
  },
  cancel: {
    title: "Cancel this upload?",
    consequences: "Processing stops after the current batch, and the file is deleted. Imported records stay.",
    action: "Cancel upload",
  },
  cancelUndo: {
    title: "Stop undoing this upload?",
    consequences:
      "Undo stops after the current import. Records that have been removed by then are not restored.",
    action: "Stop undo",
  },
  remove: {
    title: "Remove this upload?",
    consequences: "The file and the stored details of its rows are deleted. Its imports and records stay.",
    action: "Remove upload",
  },
  failures: {
    why: "Why rows failed",
    title: "Failed rows",
    help: (rows: number) =>
      `As they are in the file. Download all ${pluralize(rows, "failed row")}, correct them, and upload the corrected file with the same mapping.`,
    download: "Download all failed rows",
    line: "Line",
    problem: "Problem",
    reason: "Reason",
    notSent: "Not sent",
    field: "Field",
    wholeRow: "whole row",
    example: "Example",
    inLine: (line: number) => `line ${line}`,
    exampleInLine: (example: string, line: number) => `“${example}” in line ${line}`,
    others: (rows: number) => `${pluralize(rows, "row")} with other problems.`,
  },
  imports: {
    title: "Imports",
    description: "A file is imported in batches. Each batch is a separate import.",
    label: "Imports of this file",
    partOf: (name: string) => `This import is part of ${name}.`,
    allOfFile: "All imports of the file",
    upload: "Upload",
    import: "Import",
    lines: "Lines",
    range: (first: number, last: number) => `${first.toLocaleString("en")} to ${last.toLocaleString("en")}`,
    first: "First",
    next: "Next",
  },
  file: {
    title: "1. Choose a file",
    description:
      "Upload the export of any parking system without changing it. Nothing is imported until you have checked it.",
    content: "File contents",
    tooLarge: (size: number, max: number) =>
      `The file has ${formatBytes(size)}. The maximum is ${formatBytes(max)}. Use the gatehouse-push command-line tool instead.`,
    empty: "The file is empty.",
    otherFile: (name: string, size: number) =>
      `This is a different file: ${name} has ${formatBytes(size)}. Choose the same file again.`,
    resume: (name: string) =>
      `To continue with ${name}, choose the same file again. Only the missing part is sent.`,
    summary: (size: number, columns: number | null) =>
      `: ${formatBytes(size)}${columns === null ? "" : `, ${pluralize(columns, "column")}`}.`,
    chooseAnother: "Choose another file",
    drop: "Drop a file here",
    formats: (maxBytes: number | null) =>
      `or choose one from your computer: CSV, spreadsheet (.xlsx), JSON or NDJSON, also compressed (.gz)${maxBytes === null ? "" : `, up to ${formatBytes(maxBytes)}`}`,
  },
  check: {
    title: "5. Check the file",
    description: "Uploads the file and checks every row. Nothing is imported.",
    start: "Check file",
    continue: "Continue uploading, then check",
    blocked: "Answer the questions above first.",
    outdated: "The mapping has changed since the last check.",
    showFailing: "Show the rows that would fail",
    showConflicts: "Show the conflicts",
    percentSent: (percent: number) => `${percent} % uploaded`,
    sent: (sent: number, size: number) =>
      `${formatBytes(sent)} of ${formatBytes(size)} uploaded. Stay on this page until the upload is complete.`,
    retrying: "Connection lost. Retrying.",
  },
  import: {
    title: "6. Import",
    ready:
      "The file is imported in the background. You can leave this page. Records that are already stored are skipped, never duplicated.",
    notReady:
      "Available after you have checked the file with this mapping and at least one row can be imported.",
  },
  leaveWhileSending: {
    title: "Stop uploading the file?",
    consequences:
      "The part that has been uploaded is kept. To continue later, open the upload and choose the same file again.",
    action: "Stop and leave",
  },
  leaveWithChoices: {
    title: "Leave this file?",
    consequences: "Your mapping has not been used yet and will be lost.",
    action: "Leave",
  },
};

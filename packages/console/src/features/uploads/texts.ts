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
    consequences:
      "Processing stops after the current batch, and the file is deleted. Imported records stay. This cannot be undone.",
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
  correct: {
    help: (rows: number) =>
      `Correct the cells, then send the rows again as part of this upload. You can also download all ${pluralize(rows, "failed row")}, correct them, and upload the file with the same mapping.`,
    cell: (column: string, line: number) => `${column} in line ${line}`,
    seeCells: (columns: number) => `See the marked ${columns === 1 ? "cell" : "cells"}.`,
    correctedBy: (times: number, by: string) =>
      `. Corrected ${times === 1 ? "once" : `${times} times`}, last by ${by}`,
    replaceAll: (from: string) => (from === "" ? "Fill every empty cell" : `Replace every “${from}”`),
    replaceAllOf: (from: string, column: string, to: string) =>
      `${from === "" ? "Fill every empty cell" : `Replace every “${from}”`} in ${column} with “${to}”`,
    replacements: "Replaced in all failed rows",
    replacement: (column: string, from: string, to: string) =>
      `${column}: ${from === "" ? "empty" : `“${from}”`} becomes ${to === "" ? "empty" : `“${to}”`}`,
    removeReplacement: (replacement: string) => `Remove: ${replacement}`,
    send: "Send corrected rows",
    discard: "Discard corrections",
    sending: "Sending",
    waiting: "The service is busy or cannot be reached. Retrying.",
    sent: ({ created, skipped, failed }: { created: number; skipped: number; failed: number }) =>
      created + skipped + failed === 0
        ? "No corrected rows were sent."
        : `${pluralize(created + skipped + failed, "corrected row")} sent: ${created.toLocaleString("en")} created, ${skipped.toLocaleString("en")} already stored, ${failed.toLocaleString("en")} failed again.`,
    notSent: (rows: number, people: readonly string[]) =>
      `${pluralize(rows, "row")} had been corrected${people.length === 0 ? "" : ` by ${people.join(" and ")}`} in the meantime and ${rows === 1 ? "was" : "were"} not sent again.`,
  },
  corrections: {
    title: "Corrections",
    description: "Failed rows that were corrected here and sent again.",
    download: "Download all attempts",
    at: "Sent",
    by: "Corrected by",
    notSent: "Not sent",
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
  mappings: {
    title: "Saved mappings",
    description:
      "Offered for files with the same columns. You can also use the mapping file with gatehouse-push.",
    name: "Name",
    changedBy: "Changed by",
    file: "Mapping file",
    download: "Download",
    downloadOf: (name: string) => `Download the mapping file of ${name}`,
    remove: "Remove",
    removeOf: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove “${name}”?`,
    removeConsequences: "It will no longer be offered. Uploads that used it do not change.",
    removeAction: "Remove mapping",
    matching: "Saved mappings for files with these columns",
    use: (name: string) => `Use “${name}”`,
    used: (name: string) => `“${name}” is used for this file.`,
    saveAs: "Save mapping as",
    saveAsExample: "For example, month-end export",
    save: "Save",
    replace: "Replace saved mapping",
    saveFile: "Save as a file for gatehouse-push",
    saved: (name: string) => `“${name}” has been saved and will be offered for files with the same columns.`,
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
  format: {
    title: "2. File format",
    description: (format: string, isCompressed: boolean, isOverridden: boolean) =>
      `${format}${isCompressed ? ", compressed with gzip" : ""}. ${isOverridden ? "You have changed some of these settings." : "These settings were detected."}`,
    detectAgain: "Detect again",
    detectedWrongly: "If a setting was not detected correctly, change it below.",
    encoding: "Encoding",
    delimiter: "Separator",
    quote: "Quotes",
    headerRow: "Header row",
    headerRows: "Rows of the header",
    headerRowCounts: ["No header", "One row", "Groups above names"],
    sheet: "Sheet",
    line: (line: number) => `Line ${line}`,
    row: (row: number) => `Row ${row}`,
    members: (names: number) =>
      `The members of each record are treated as columns. Found ${pluralize(names, "name")}.`,
    unreadable: (problem: string) => `The file cannot be read with these settings: ${problem}`,
    readerFailed: "The file reader could not be started. Reload the page.",
    formats: {
      csv: "CSV",
      ndjson: "JSON, one record per line",
      json: "JSON, a list of records",
      xlsx: "Spreadsheet (.xlsx)",
    },
    delimiters: { comma: "Comma", semicolon: "Semicolon", tab: "Tab", bar: "Vertical bar" },
    quotes: { double: 'Double quotes "', single: "Single quotes '", none: "None" },
  },
  mapping: {
    title: "3. Map columns",
    description: "Suggested from the column names and their values. Answer the questions about the rest.",
    label: "Mapping",
    assumptions: "Assumptions",
    questions: "Before you check the file",
    leaveOut: "Leave out",
    fieldFor: (column: string) => `Field for ${column}`,
    emptyColumn: "Empty column",
    noValues: "empty",
    unknownField: "Other field",
    combinedWith: (column: string) => `Combined with “${column}”`,
    required: "Required fields",
    nested: {
      account: "Account",
      contact: "Contact",
      vehicle: "Vehicle",
      subscription: "Subscription",
    } as Record<string, string>,
    noField: "Metadata",
    fixedValues: "Same value in every record",
    field: "Field",
    value: "Value",
    addFixedValue: "Add a fixed value",
    removeFixedValue: "Remove this fixed value",
    emptyWords: "Words that mean “empty”",
    emptyWordExample: "n/a",
    timeZone: "Times without a time zone",
    timeZoneHint: "Choose a time zone",
    locationTime: "Local time at the record's location",
    zoneTime: (zone: string) => `Local time in ${zone.replaceAll("_", " ")}`,
    ambiguousTimes: "Ambiguous times at clock change",
    firstTime: "Use the first time",
    secondTime: "Use the second time",
    rejectRow: "Reject the row",
    trim: "Trim spaces",
  },
  values: {
    yes: "Words for yes",
    yesHelp: "In addition to yes, y, true and 1",
    no: "Words for no",
    noHelp: "In addition to no, n, false and 0",
    inColumn: (label: string, column: string) => `${label} in ${column}`,
    matchLocation: "Match location by",
    matchLocationOf: (column: string) => `Match location in ${column} by`,
    locationKeys: {
      uuid: "UUID",
      tpReferenceId: "Third-party reference",
      name: "Name",
      any: "UUID, third-party reference or name",
    } as Record<string, string>,
    nameOrder: "Name format",
    nameOrderOf: (column: string) => `Name format of ${column}`,
    nameOrders: {
      "first last": "First name, then last name (Jo Doe)",
      "last first": "Last name, then first name (Doe Jo)",
      "last, first": "With a comma (Doe, Jo)",
    } as Record<string, string>,
    choose: "Choose",
    otherFormat: "Other format",
    otherFormatOf: (column: string) => `Other format of ${column}`,
    unknownFormat: "This is not a valid pattern",
    timeOfDay: "Time of day",
    timeOfDayOf: (column: string) => `Column with the time of day for ${column}`,
    sameColumn: "Same column",
    meaning: "means …",
    meaningOf: (word: string, column: string) => `Meaning of ${word} in ${column}`,
    forget: (word: string) => `Remove the meaning of ${word}`,
    addWord: "Add a word",
    word: (column: string) => `New word in ${column}`,
    wordHint: "As in the file",
    meaningOfNew: (column: string) => `Meaning of the new word in ${column}`,
  },
  formats: {
    time: {
      label: "Date format",
      of: (column: string) => `Date format of ${column}`,
      default: "2026-03-31 23:30 (ISO 8601)",
      pattern: "Pattern, such as MM/dd/yyyy h:mm a or dd.MM.yyyy",
      names: {
        unix: "Seconds since 1970 (Unix)",
        "unix-ms": "Milliseconds since 1970",
        serial: "Spreadsheet days",
      } as Record<string, string>,
    },
    number: {
      label: "Number format",
      of: (column: string) => `Number format of ${column}`,
      default: "1234.50",
      pattern: "How the file writes 1234.50, such as $1,234.50",
      names: {} as Record<string, string>,
    },
  },
  questions: {
    missing: (fields: string, isOne: boolean) =>
      `Every record needs ${fields}. Choose a column for ${isOne ? "it" : "each"}, or add a fixed value.`,
    repeated: (fields: string) => `Several columns are mapped to ${fields}. Leave out all but one of them.`,
    unsure: {
      misfit: (field: string) =>
        `The name is like ${field}, but not all values fit. Choose a field, or the values are stored in the metadata.`,
      contested: (field: string) =>
        `The name is like ${field}, but so is another column's. Choose a field, or the values are stored in the metadata.`,
    },
    unknownFormat: (format: string, topic: "time" | "number") =>
      `“${format}” is not a valid ${topic} format.`,
    ambiguous: {
      time: (value: string) => `“${value}” can be two different dates. Choose the date format.`,
      number: (value: string) => `“${value}” can be two different numbers. Choose the number format.`,
    },
    meaning: (words: string) => `Choose what ${words} means, or these rows will fail.`,
    location: (words: string) => `Choose the location for ${words}, or these rows will fail.`,
    noTimeZone: (columns: string) => `The times in ${columns} have no time zone. Choose one below.`,
    andMore: (words: string, more: number) => `${words} and ${more} more`,
  },
  preview: {
    title: "4. Preview",
    label: "Preview",
    ready: "These are the first rows as they will be sent. No problems found so far.",
    wouldFail: (rows: number, all: number) =>
      `These are the first rows as they will be sent. ${rows.toLocaleString("en")} of ${pluralize(all, "row")} would fail.`,
    row: "Row",
    rowFails: "fails",
    rowReady: "ready",
    notGiven: "not given",
    from: (original: string) => `from ${original}`,
    unknownLocation: "is not a location of the organization",
  },
  check: {
    title: "5. Check the file",
    description: "Uploads the file and checks every row. Nothing is imported.",
    start: "Check file",
    continue: "Continue uploading, then check",
    blocked: "Answer the questions above first.",
    outdated: "The mapping has changed since the last check.",
    showFailing: "Show the rows that would fail",
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
  leaveWithCorrections: {
    title: "Leave without sending?",
    consequences: "Your corrections have not been sent yet and will be lost.",
    action: "Leave",
  },
  leaveWithChoices: {
    title: "Leave this file?",
    consequences: "Your mapping has not been used yet and will be lost.",
    action: "Leave",
  },
};

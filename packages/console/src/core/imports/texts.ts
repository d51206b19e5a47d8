import { pluralize } from "../ui/format.js";

export const texts = {
  statuses: { completed: "Completed", partialSuccess: "Partial success", failed: "Failed" },
  outcomes: { created: "Created", skipped: "Skipped", failed: "Failed" },
  list: {
    title: "Imports",
    description: "Every batch that was accepted. An uploaded file is one line.",
    started: "Started",
    resource: "Records",
    status: "Status",
    outcome: "Outcome",
    records: "Submitted",
    duration: "Duration",
    apiKey: "API key",
    fromConsole: "Console",
    reference: "Reference",
    file: "File",
    fileOf: (name: string, imports: number) =>
      imports === 1 ? name : `${name}, ${pluralize(imports, "import")}`,
    hint: "Change the dates or clear a filter. Older imports may still match. Go to the older pages below.",
    filters: {
      outcome: "With records",
      reason: "Reason",
      file: "Imports of one file",
    },
    empty: {
      title: "Nothing has been imported yet",
      text: "Create an API key under Organization Settings, then send the first batch:",
      createKey: "Create an API key",
    },
  },
  outcomeCounts: (created: number, skipped: number, failed: number) =>
    `${created} created, ${skipped} skipped, ${failed} failed`,
  page: {
    unloaded: "Import",
    title: (resource: string) => `${resource} import`,
    notFound:
      "An import that was interrupted before it was stored is not listed. Send the batch again: records that are already stored are skipped.",
    copyReference: "Copy referenceUuid",
    previous: "Previous import",
    next: "Next import",
    failedRecords: "Failed records",
    downloadCsv: "Download as CSV",
    downloadNdjson: "Download as NDJSON",
    copyAsCurl: "Copy as curl",
    fetch: "Fetch this import",
    resend: "Resend corrected records",
    copied: "Copied. Set GATEHOUSE_API_KEY to your API key before you run it.",
  },
  counters: { submitted: "Submitted" },
  details: {
    title: "About this import",
    apiKey: "API key",
    uploaded: "Uploaded in the console",
    requestId: "Request ID",
    alsoCreated: "Also created",
    nothing: "nothing",
    batchMetadata: "Batch metadata",
    metadata: "Metadata",
  },
  warnings: {
    differing: (count: number) =>
      `${count === 1 ? "1 skipped record was" : `${count} skipped records were`} sent with values that differ from the stored ones. Nothing was changed.`,
    showDifferences: "Show the differences",
    dropped: (count: number) =>
      `${count === 1 ? "1 nested subscription was" : `${count} nested subscriptions were`} dropped, because the record has no account to attach it to.`,
    showDropped: "Show these records",
  },
  failures: {
    title: "Why records failed",
    code: (code: number) => `code ${code}`,
    howToFix: "How to fix it:",
    messages: "What was wrong",
    sent: "sent",
    first: (reference: string, position: number) => `, first in ${reference || `record ${position + 1}`}`,
    show: (count: number) => (count === 1 ? "Show the record" : `Show these ${count} records`),
    notKept: (count: number) =>
      `Not shown: ${pluralize(count, "failure")} reported only to the sender. An import keeps its first 100.`,
  },
  results: {
    title: "Results",
    count: (shown: number, all: number) =>
      shown === all
        ? `${pluralize(all, "result")} in the order sent.`
        : `${shown.toLocaleString("en")} of ${pluralize(all, "result")}, in the order sent.`,
    all: "All",
    differing: "Differing",
    dropped: "Dropped",
    showEveryReason: "Clear reason",
    filter: "Filter results",
    filterHint: "Filter by reference or details",
    noMatch: "No results match",
    noMatchHint: "Choose another outcome or clear the text.",
    previous: "Previous",
    next: "Next",
    pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
    detail: "Details",
    noReference: "no valid reference",
    sentAs: (field: string) => `${field} was sent as`,
    emptyValue: "(empty)",
    cut: " (truncated)",
    differences: (count: number) => (count === 1 ? "1 field differs" : `${count} fields differ`),
    field: "Field",
    stored: "Stored",
    sent: "Sent this time",
    notGiven: "not given",
  },
};

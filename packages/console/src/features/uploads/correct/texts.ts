import { pluralize } from "../../../core/ui/format.js";

export const texts = {
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
  leaveWithCorrections: {
    title: "Leave without sending?",
    consequences: "Your corrections have not been sent yet and will be lost.",
    action: "Leave",
  },
};

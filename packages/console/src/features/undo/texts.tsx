import type { ReactNode } from "react";
import { pluralize } from "../../core/ui/format.js";

export const texts = {
  import: {
    open: "Undo import",
    title: "Undo this import?",
    done: (removed: string) => `Import undone. Removed: ${removed}.`,
    outdated:
      "Something was imported or undone in the meantime, so nothing was removed. This is the current preview:",
    noticeTitle: "This import was undone",
    notice: (by: string, at: ReactNode, removed: string, kept: string) => (
      <>
        By {by}, {at}. Removed: {removed}.{kept} The results below are those from when the batch was sent.
      </>
    ),
    until: (until: ReactNode) => (
      <>
        The import stays in the list, marked as undone. The API still returns its original results. You can
        undo it until {until}.
      </>
    ),
  },
  upload: {
    open: "Undo upload",
    title: "Undo this upload?",
    heading: "This upload",
    summary: (imports: number, records: number, undone: number) =>
      `${pluralize(imports, "import")} that created ${pluralize(records, "record")}.${undone > 0 ? ` ${pluralize(undone, "import")} already undone.` : ""}`,
    previewed: (imports: number) =>
      ` Records that other imports refer to stay. Only the newest ${pluralize(imports, "import")} were checked for this.`,
    noticeTitle: "This upload was undone",
    progress: (done: number, all: number) =>
      `Undone so far: ${done.toLocaleString("en")} of ${pluralize(all, "import")}`,
    notice: (by: string, at: ReactNode, removed: string, kept: string) => (
      <>
        By {by}, {at}. Removed: {removed || "nothing"}.{kept} The counts and rows below are those of the
        import.
      </>
    ),
    until: (until: ReactNode) => (
      <>
        The imports are undone in the background, newest first. They stay in the list, marked as undone. The
        file is deleted; to import it again, upload it again. You can undo the upload until {until}.
      </>
    ),
  },
  typed: "undo",
  reversal: "This cannot be undone. The same IDs can be imported again.",
  remove: (records: string) => `Remove ${records}`,
  willBeRemoved: "Will be removed",
  removed: (kinds: string) => `${kinds}.`,
  nothingToRemove: "Nothing. Other records refer to everything that is left.",
  willStay: (count: number) => `Will stay: ${pluralize(count, "record")} that others refer to`,
  willStayLabel: "What will stay",
  referredToBy: ", referred to by",
  andOthers: (count: number) => `and ${pluralize(count, "other")}.`,
  kept: (count: number) =>
    count === 0
      ? ""
      : ` ${pluralize(count, "record")} stayed, because other records refer to ${count === 1 ? "it" : "them"}.`,
  acknowledged: (count: number) => `Reported as stored: ${pluralize(count, "record")}`,
  acknowledgedHelp: (records: ReactNode, hasOthers: boolean) => (
    <>
      These records were sent again later, and the response said that they are stored. They will still be
      removed: {records}
      {hasOthers ? " and others" : ""}.
    </>
  ),
  itsImport: "its import",
};

import { type DeletableKind, keptDaysRule, type QuotaName } from "@gatehouse-parking/contract";
import type { ReactNode } from "react";
import { formatBytes, pluralize } from "../../core/ui/format.js";

export const texts = {
  tabs: { retention: "Retention", storage: "Storage" },
  kinds: {
    records: "Records",
    exceptions: "Skipped and failed records of imports",
    runDetails: "Values of failed records",
    requestLog: "Request log",
    leads: "Leads",
  },
  kindHelp: {
    records:
      "Transactions, accounts, contacts, vehicles and subscriptions. Records that newer records refer to stay.",
    exceptions: "Imports keep their counts. Partners who fetch an older import get it without these results.",
    runDetails: "Rejected field values, and signs of time zone errors.",
    requestLog: "API requests and how they were answered.",
    leads: "With their notes and statuses.",
  },
  form: {
    description:
      "Number of days to keep data. Leave a field empty to use the default. Older data is permanently deleted within minutes.",
    days: (days: number | null) => (days === null ? "forever" : pluralize(days, "day")),
    invalid: `Enter ${keptDaysRule}`,
    rememberIds: "Remember deleted IDs",
    rememberIdsHelp:
      "A deleted record that is sent again is skipped with its former UUID instead of being created again. Turning this off deletes the remembered IDs.",

    storeResendsOnce: "Store identical resends once a day",
    storeResendsOnceHelp:
      "An import that creates nothing and has the same results as an earlier one on the same day refers to it instead of storing the results again.",
    save: "Save retention",
    saved: "Retention has been saved.",
    savedPending: "The change is pending. You can cancel it at the top of this page.",
  },
  /** One and several of each kind. */
  nouns: {
    records: ["record", "records"],
    exceptions: ["skipped or failed record", "skipped or failed records"],
    runDetails: ["value of a failed record", "values of failed records"],
    requestLog: ["logged request", "logged requests"],
    leads: ["lead", "leads"],
    deletedKeys: ["remembered ID", "remembered IDs"],
  } satisfies Record<DeletableKind, [one: string, several: string]>,
  deletion: (count: number, noun: string, isMinimum: boolean) =>
    `${isMinimum ? "more than " : ""}${count.toLocaleString("en")} ${noun}`,
  confirm: {
    title: "Delete stored data?",
    reversal: "You can cancel until then. Deleted data cannot be restored.",
    consequences: (at: ReactNode) => <>These shorter periods delete the following after {at}:</>,
    action: "Save and delete",
    typed: "delete",
  },
  pending: {
    title: "Pending change",
    text: (deletion: string, at: ReactNode, by: string) => (
      <>
        Deletes {deletion} after {at}. Saved by {by}.
      </>
    ),
    cancel: "Cancel",
    cancelLabel: (kind: string) => `Cancel: ${kind}`,
    cancelled: "The change has been cancelled.",
  },
  import: {
    recordsDeleted: (count: number) =>
      `${pluralize(count, "record")} of this import ${count === 1 ? "was" : "were"} deleted when the organization's retention period ended. `,
    exceptionsDeleted: (at: ReactNode) => (
      <>The details of its skipped and failed records were deleted {at}. Their counts are still available.</>
    ),
  },
  storage: {
    title: "Stored data",
    counted: "Records are counted as they are stored. Other tables are counted about once an hour.",
    countedAt: (at: ReactNode) => (
      <>
        Records are counted as they are stored, other tables about once an hour, last {at}. Sizes are
        estimates without indexes.
      </>
    ),
    what: "Data",
    rows: "Rows",
    size: "Approximate size",
    /** Other tables are named like their pages. */
    tables: {
      records: "All records",
      deleted_records: "Remembered IDs of deleted records",
      import_exceptions: "Skipped and failed records of imports",
      import_sent_values: "Values of failed records",
      upload_batches: "Batches of uploads",
      upload_pieces: "Files of uploads",
    } as Record<string, string>,
  },
  quotas: {
    title: "Quotas",
    description:
      "Requests that exceed a quota are rejected as a whole. Operators of the service can change quotas.",
    quota: "Quota",
    names: { records: "Records", storageBytes: "Storage", leadsPerDay: "Leads in 24 hours" },
    amount: {
      records: (count) => pluralize(count, "record"),
      storageBytes: formatBytes,
      leadsPerDay: (count) => pluralize(count, "lead"),
    } satisfies Record<QuotaName, (limit: number) => string>,
    none: "No quota",
    bytes: "Storage, in bytes",
    fieldHelp: "Leave it empty for no quota. Changes take effect immediately.",
    invalid: (rule: string) => `Enter ${rule}`,
    save: "Save quota",
    saved: "The quota has been saved and is in effect.",
  },
};

import type { ReactNode } from "react";
import { pluralize } from "../ui/format.js";

export const texts = {
  /** Labels of text filters, where the name of the field says less. */
  references: { contacts: "Email", vehicles: "Plate" },
  startsWith: (reference: string) => `${reference} starts with`,

  pageNotFound: "Page not found",
  list: {
    description: "Description",
    imported: "Imported",
    localDays: "Local dates",
    fromOne: (kind: string) => `From one ${kind === "run" ? "import" : kind}`,
    hint: "Clear a filter, or use the search box at the top.",
    emptyTitle: (kind: string) => `No ${kind} yet`,
    empty: "They appear here after a batch that contains them has been imported:",
  },
  page: {
    title: (kind: string, reference: string) => `${kind} ${reference}`,
    notFound: (detail: string) => `${detail} Search for its reference in the box at the top.`,
  },
  fields: {
    title: "Fields",
    uuid: "UUID",
    notGiven: (names: readonly string[]) => `Not given: ${names.join(", ")}`,
  },
  local: {
    title: "Local time at the location",
    date: "Local date",
    time: "Local time",
    timeZone: "Time zone when imported",
  },
  metadata: {
    title: "Metadata",
    description: "Exactly as it was sent.",
    none: "No metadata was sent.",
  },
  history: {
    title: "History",
    description: "The import that created the record, and every later batch that contained it.",
    created: (position: number, link: ReactNode) => (
      <>
        <strong>Created</strong> by record {position + 1} of {link}
      </>
    ),
    sentAgain: (failed: boolean, position: number, link: ReactNode, reason: string) => (
      <>
        <strong>{failed ? "Failed" : "Skipped"}</strong> as record {position + 1} of {link}: {reason}
      </>
    ),
    import: (uuid: string) => `import …${uuid.slice(-8)}`,
    differs: "The values sent differ from the stored ones.",
    showDifferences: "Show the differences",
    repeated: (count: number, last: ReactNode) => (
      <>
        {pluralize(count, "more import")} with the same result, last {last}
      </>
    ),
  },
  links: {
    title: "Linked records",
    location: "Location",
    subscription: "Subscription",
    all: (kind: string, of: string) => `All ${kind} of this ${of}`,
    none: "The record does not refer to an account, contact, vehicle or subscription.",
    /** How a related record was found or created. */
    via: {
      uuid: "found by UUID",
      reference: "found by third-party reference",
      email: "found by email",
      phone: "found by phone number",
      plate: "found by license plate",
      created: "created by this record",
      dropped: "dropped: the record has no account to attach it to",
    } as Record<string, string>,
  },
};

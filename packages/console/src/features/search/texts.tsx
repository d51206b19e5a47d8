import type { MatchedBy } from "@gatehouse-parking/contract/console";
import type { ReactNode } from "react";

export const texts = {
  title: (text: string) => (text === "" ? "Search" : `Search: ${text}`),
  heading: "Search",
  searchFor: (text: string) => `Search for “${text}”`,
  suggestions: "Begins with this",
  start: "What are you looking for?",
  startHelp:
    "Enter a transactionId, tpReferenceId, UUID, email address, phone number, plate, referenceUuid or request ID in the search box at the top.",
  noResults: (query: string) => `No results for “${query}”`,
  noResultsHelp:
    "Enter the whole reference; upper and lower case do not matter. Only the first 100 failed records of an import are stored.",
  truncated: "Not all results are shown. Make your search more specific, or filter the lists of records.",
  by: (field: string) => `by ${field}`,
  /** Other matches are named like the field. */
  matchedBy: {
    email: "email",
    phone: "phone number",
    plate: "license plate",
    requestId: "request ID",
  } as Partial<Record<MatchedBy, string>>,
  kinds: {
    runs: "Import",
    leads: "Lead",
    locations: "Location",
    "api-keys": "API key",
  },
  showHistory: "Show history",
  hideHistory: "Hide history",
  history: "History",
  fields: "Fields",
  metadata: "Metadata",
  longMetadata: "Too long to show here. See the page of the record.",
  undone: {
    title: "Undone",
    description: "Records that were removed because their import was undone.",
    entry: (by: string, kind: string, position: number, link: ReactNode) => (
      <>
        <strong>Removed</strong> by {by}, who undid the import: the {kind} created by record {position + 1} of{" "}
        {link}
      </>
    ),
  },
  deleted: {
    title: "Deleted",
    description: "Records that were deleted when their retention period ended.",
    entry: (kind: string, position: number, link: ReactNode) => (
      <>
        <strong>Deleted</strong> at the end of its retention period: the {kind} created by record{" "}
        {position + 1} of {link}. Its ID is still remembered.
      </>
    ),
  },
  notStored: {
    title: "Sent, but not stored",
    description: "Batches that contained this reference but did not create a record.",
  },
};

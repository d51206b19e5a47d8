import type { ReactNode } from "react";
import { pluralize } from "../ui/format.js";

export const texts = {
  title: "Leads",
  statuses: { new: "New", contacted: "Contacted", closed: "Closed" },
  quarantined: "Quarantined",
  duplicate: "Duplicate",
  columns: {
    email: "Email",
    name: "Name",
    location: "Location",
    source: "Source",
    status: "Status",
    assignee: "Assigned to",
    received: "Received",
  },
  list: {
    description: "What visitors sent through your forms, newest first.",
    samePerson: (count: string) => `${count} from this person`,
    samePersonHelp: "With the same email address or phone number",
    filters: {
      text: "Email, name, notes",
      quarantine: "Quarantine",
      notInQuarantine: "Not in quarantine",
      inQuarantine: "In quarantine",
      duplicates: "Duplicates",
      hideDuplicates: "Hide duplicates",
      onlyDuplicates: "Only duplicates",
    },
    empty: {
      title: "No leads yet",
      text: "Forms on your website send leads with an API key that has the leads:write permission. To try it:",
      action: "Create an API key for your form",
    },
  },
  bulk: {
    select: "Select",
    selectOne: (email: string) => `Select the lead of ${email}`,
    selectAll: "Select all on this page",
    selected: (count: number) => `${count} selected`,
    hint: "Select leads to change several at once.",
    setStatus: "Set status",
    assign: "Assign to",
    changed: (count: number) => `${pluralize(count, "lead")} changed.`,
  },
  quarantine: {
    add: "Move to quarantine",
    remove: "Remove from quarantine",
    added: "The lead has been moved to quarantine.",
    removed: "The lead has been removed from quarantine.",
    byPerson: (actor: string, at: ReactNode) => (
      <>
        {actor} moved this lead to quarantine {at}.
      </>
    ),
    byHoneypot: "The hidden field was filled in, so this was probably a bot. The sender was not notified.",
  },
  page: {
    unloaded: "Lead",
    title: (email: string) => `Lead ${email}`,
    previous: "Previous lead",
    next: "Next lead",
    notFound: "It may have been deleted, or it belongs to another organization.",
    duplicate: "The same email address asked about the same location shortly before.",
    showEarlier: "Show the earlier lead",
    others: (count: number, isMinimum: boolean) =>
      `${isMinimum ? "At least " : ""}${count} leads from this person`,
    othersLabel: "Other leads from this person",
    othersHelp: "Leads with the same email address or phone number, newest first.",
  },
  assignee: { none: "No one", me: (email: string) => `Me (${email})` },
  message: { title: "Message", none: "The visitor left no message." },
  contact: {
    title: "Contact",
    phone: "Phone",
    subject: (location: string, organization: string) => `Your request: ${location}, ${organization}`,
  },
  history: {
    title: "History",
    more: "Show older entries in the audit log",
    status: (state: string) => `Status: ${texts.statuses[state as keyof typeof texts.statuses] ?? state}`,
    assigned: (email: string | null) => (email === null ? "Assigned to no one" : `Assigned to ${email}`),
    quarantine: (state: string): string =>
      state === "quarantined" ? "Moved to quarantine" : "Removed from quarantine",
    /** By their name in the audit log. */
    actions: {
      "lead.add-note": "Added a note",
      "lead.remove-note": "Removed a note",
      "lead.work": "Saved without a change",
      "lead.update": "Saved without a change",
    } as Record<string, string>,
  },
  request: {
    title: "Request",
    /** Fields whose name says less. */
    fields: {
      estimatedStartDate: "Estimated start",
      estimatedStartDateString: "Start date as text",
      formName: "Form",
      slug: "Page",
      referrerUrl: "Referrer",
    } as Record<string, string>,
  },
  origin: {
    title: "Origin",
    uuid: "Lead UUID",
    apiKey: "API key",
    address: "Address",
    browser: "Browser",
    removedFromQuarantineBy: "Removed from quarantine by",
    captcha: "Captcha",
    captchaNotRequired: "not required",
    captchaResult: "Captcha result",
  },
  metadata: {
    title: "Metadata",
    description: "Form fields that have no field in a lead.",
  },
  work: {
    setBy: (actor: string, at: ReactNode) => (
      <>
        Set by {actor}, {at}
      </>
    ),
    untouched: "No one has worked on this lead yet.",
    conflict:
      "Someone else changed this lead after you opened it. Your change was not saved. The page shows the current lead.",
  },
  notes: {
    title: "Team notes",
    description: "Visible to members of your organization, not to the sender.",
    none: "None yet.",
    new: "New note",
    add: "Add note",
    remove: "Remove",
    removeTitle: "Remove this note?",
    removeAction: "Remove note",
  },
};

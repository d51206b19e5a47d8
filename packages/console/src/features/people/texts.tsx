import type { ReactNode } from "react";
import { pluralize } from "../../core/ui/format.js";

export const texts = {
  title: "Personal data",
  description:
    "Find everything stored about a person, to export or erase it. Search by email address, phone number or both. With both, everything that matches either of them is included.",
  find: {
    title: "Find a person",
    email: "Email address",
    phone: "Phone number",
    submit: "Find",
  },
  unfinished: (count: number, startedAt: ReactNode) => (
    <>
      {count === 1 ? "1 erasure has not finished. It" : `${count} erasures have not finished. The oldest`}{" "}
      started {startedAt}. The audit log shows who requested it. If it does not finish, erase the same person
      again.
    </>
  ),
  unfinishedPerson: "Erasing this person has not finished. If it does not finish, erase the person again.",
  stored: {
    description:
      "Import details and rows of uploaded files may also mention this person. They are searched when you erase the person.",
    export: (format: string) => `Export ${format.toUpperCase()}`,
    erase: "Erase…",
    leads: "Leads",
    notes: "Team notes about them",
    contacts: "Contacts",
    accounts: "Accounts with this contact",
    countsBy: (all: string, byEmail: string, byPhone: string) =>
      `${all} (${byEmail} by email, ${byPhone} by phone)`,
    countOrMore: (count: string) => `${count} or more`,
  },
  sharedNumber: (leads: number, contacts: number, accounts: number) =>
    `Several people may share a phone number, and phone numbers in leads are not verified. This number matches ${pluralize(leads, "lead")}, ${pluralize(contacts, "contact")} and ${pluralize(accounts, "account")}. Make sure that all of them belong to this person.`,
  erase: {
    title: "Erase this person?",
    leads: (leads: number, notes: number) =>
      `${pluralize(leads, "lead")} and ${pluralize(notes, "team note")} will be deleted, and so will notes about other leads that mention the person.`,
    contacts: (contacts: number, accounts: number) =>
      `${pluralize(contacts, "contact")} and the contact fields of ${pluralize(accounts, "account")} will be cleared. Transactions and accounts stay, but no longer identify the person.`,
    others:
      "Import details, rows and names of uploaded files, metadata and audit log entries that mention the person will be erased.",
    warning:
      "This cannot be undone. The audit log records who did it and a hash of the email address, but not the phone number.",
    typeToConfirm: (identifier: string) => `Type ${identifier} to confirm`,
    submit: "Erase person",
    inProgress: "Erasing. This may take a few minutes and continues if you leave the page.",
    stillRunning: "The person is still being erased. Check again later, or erase the same person again.",
  },
  erased: {
    title: "The person was erased",
    summary: (erased: {
      leadsDeleted: number;
      leadNotesDeleted: number;
      contactsErased: number;
      accountsErased: number;
      differencesErased: number;
      uploadRowsErased: number;
    }) =>
      `${[
        pluralize(erased.leadsDeleted, "lead"),
        pluralize(erased.leadNotesDeleted, "team note"),
        pluralize(erased.contactsErased, "contact"),
        pluralize(erased.accountsErased, "account"),
        pluralize(erased.differencesErased, "import detail"),
        pluralize(erased.uploadRowsErased, "uploaded row"),
      ].join(", ")}.`,
  },
};

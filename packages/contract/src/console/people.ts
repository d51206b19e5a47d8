import type { Static } from "typebox";
import { wireTimestamp } from "../schema/answers.js";
import { Type } from "../schema/type.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { count, download, nullable, typed, word } from "./fields.js";

/** The person is in the body, never in the URL, because URLs are logged. */
const person = {
  email: Type.Optional(typed("The person's email address, in upper or lower case.")),
  phone: Type.Optional(typed("The person's phone number, in any spelling.")),
};

const found = {
  leads: count(),
  contacts: count(),
  accounts: count("Accounts whose contact is the person."),
};
const foundBy = (what: string) =>
  nullable(Type.Object(found, { description: `The data stored under ${what}; null if it was not given.` }));

export const StoredOfPerson = Type.Object(
  {
    ...found,
    leadNotes: count("Notes about these leads."),
    byEmail: foundBy("the address"),
    byPhone: foundBy("the number, which several people can share"),
    isUnfinished: Type.Boolean({
      description: "Whether an erasure of this person is incomplete: repeating the request completes it.",
    }),
  },
  { $id: "StoredOfPerson", description: "The data stored under the address and the number." },
);
export type StoredOfPerson = Static<typeof StoredOfPerson>;

export const PersonErased = Type.Object(
  {
    isDone: Type.Boolean({
      description: "false: still running. Repeat the request to wait for it.",
    }),
    leadsDeleted: count(),
    leadNotesDeleted: count("Notes about these leads, and notes about others that mention the person."),
    contactsErased: count(),
    accountsErased: count("Accounts whose contact was the person."),
    differencesErased: count("Differences recorded with import runs."),
    uploadRowsErased: count("Of uploaded files."),
  },
  { $id: "PersonErased" },
);
export type PersonErased = Static<typeof PersonErased>;

export const UnfinishedErasures = Type.Object(
  { data: Type.Array(Type.Object({ begunAt: wireTimestamp() })) },
  {
    $id: "UnfinishedErasures",
    description: "Oldest first, at most 100. They are running or were interrupted. The person is not stored.",
  },
);
export type UnfinishedErasures = Static<typeof UnfinishedErasures>;

export const peopleOperations = {
  listUnfinishedErasures: {
    method: "GET",
    path: `${organization}/people/unfinished-erasures`,
    role: "admin",
    summary: "List incomplete erasures",
    answer: UnfinishedErasures,
  },
  findPerson: {
    method: "POST",
    path: `${organization}/people/find`,
    role: "admin",
    summary: "Preview what is stored about a person",
    body: Type.Object(person),
    answer: StoredOfPerson,
  },
  exportPerson: {
    method: "POST",
    path: `${organization}/people/export`,
    role: "admin",
    audited: true,
    summary: "Download everything that is stored about a person",
    body: Type.Object({ ...person, format: word(["json", "ndjson"]) }),
    answer: download("application/json", "application/x-ndjson"),
  },
  erasePerson: {
    method: "POST",
    path: `${organization}/people/erase`,
    role: "admin",
    audited: true,
    summary: "Erase a person",
    description:
      "Leads and notes are deleted; contacts, accounts, runs and uploads stay without any data of the person.",
    body: Type.Object({
      ...person,
      emailConfirmation: Type.Optional(typed("The email address typed again, if there is one.")),
      isAskedAgain: Type.Optional(
        Type.Boolean({
          description:
            "For repeating a request that answered isDone: false. If the erasure has finished, the answer is its result.",
        }),
      ),
      phoneConfirmation: Type.Optional(typed("The phone number typed again, if there is one.")),
    }),
    answer: PersonErased,
  },
} as const satisfies Record<string, ConsoleOperation>;

import type { Static } from "typebox";
import { wireTimestamp } from "../schema/answers.js";
import { Type } from "../schema/type.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { count, download, nullable, typed, word } from "./fields.js";

/** The person is in the body and never in an address, which others keep. */
const person = {
  email: Type.Optional(typed("The person's e-mail address; upper and lower case do not count.")),
  phone: Type.Optional(typed("The person's phone number, in any spelling.")),
};

const found = {
  leads: count(),
  contacts: count(),
  accounts: count("Whose contact the person is."),
};
const foundBy = (what: string) =>
  nullable(
    Type.Object(found, { description: `Of these, what is stored under ${what}; null if none was given.` }),
  );

export const StoredOfPerson = Type.Object(
  {
    ...found,
    leadNotes: count("Notes about these leads."),
    byEmail: foundBy("the address"),
    byPhone: foundBy("the number, which several people may share"),
    isUnfinished: Type.Boolean({
      description:
        "Whether erasing this person has begun and not come to its end: the same again completes it.",
    }),
  },
  { $id: "StoredOfPerson", description: "What is stored under the address and the number." },
);
export type StoredOfPerson = Static<typeof StoredOfPerson>;

export const PersonErased = Type.Object(
  {
    isDone: Type.Boolean({
      description: "false: it takes longer and goes on. The same request again waits for it.",
    }),
    leadsDeleted: count(),
    leadNotesDeleted: count("Notes about these leads, and notes about others that mention the person."),
    contactsErased: count(),
    accountsErased: count("Accounts whose contact the person was."),
    differencesErased: count("Noted with import runs."),
    uploadRowsErased: count("Of uploaded files."),
  },
  { $id: "PersonErased" },
);
export type PersonErased = Static<typeof PersonErased>;

export const UnfinishedErasures = Type.Object(
  { data: Type.Array(Type.Object({ begunAt: wireTimestamp() })) },
  {
    $id: "UnfinishedErasures",
    description:
      "The oldest first, at most 100. They are at work, or were cut short. Whose they are is not stored.",
  },
);
export type UnfinishedErasures = Static<typeof UnfinishedErasures>;

export const peopleOperations = {
  listUnfinishedErasures: {
    method: "GET",
    path: `${organization}/people/unfinished-erasures`,
    role: "admin",
    summary: "Erasures that have not come to their end",
    answer: UnfinishedErasures,
  },
  findPerson: {
    method: "POST",
    path: `${organization}/people/find`,
    role: "admin",
    summary: "What is stored of a person",
    body: Type.Object(person),
    answer: StoredOfPerson,
  },
  exportPerson: {
    method: "POST",
    path: `${organization}/people/export`,
    role: "admin",
    audited: true,
    summary: "Everything that is stored of a person, as a file",
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
      "Leads and notes are deleted; contacts, accounts, runs and uploads stay and tell nothing of the person any more.",
    body: Type.Object({
      ...person,
      emailConfirmation: Type.Optional(typed("The e-mail address typed again, if there is one.")),
      isAskedAgain: Type.Optional(
        Type.Boolean({
          description: "After isDone: false. If it has ended meanwhile, the answer is what it has done.",
        }),
      ),
      phoneConfirmation: Type.Optional(typed("The phone number typed again, if there is one.")),
    }),
    answer: PersonErased,
  },
} as const satisfies Record<string, ConsoleOperation>;

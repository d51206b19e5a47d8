import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { wireTimestamp } from "../schema/answers.js";
import { uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { exportOf, exportStart } from "./exports.js";
import { exactJson, moment, nullable, searchedText, word } from "./fields.js";
import { bothWaysPage, bothWaysQuery } from "./paging.js";

export const AuditSubject = Type.Object(
  {
    kind: word(["api-key", "person", "location", "lead", "organization", "run"]),
    uuid: uuid(),
    name: nullable(
      Type.String({
        description:
          "The current name; for a key with its prefix. Null if it was deleted or has no name, like a run.",
      }),
    ),
  },
  { $id: "AuditSubject", description: "The person or object that the action affected." },
);
export type AuditSubject = Static<typeof AuditSubject>;

export const AuditLine = Type.Object(
  {
    uuid: uuid(),
    at: wireTimestamp(),
    actor: Type.String(),
    address: nullable(Type.String({ description: "The client address; null for the command line." })),
    action: Type.String(),
    subject: nullable(AuditSubject),
    detail: exactJson(),
  },
  { $id: "AuditLine" },
);
export type AuditLine = Static<typeof AuditLine>;

const filters = {
  action: Type.Optional(searchedText("Such as api-key.create; or its beginning, such as api-key.")),
  actor: Type.Optional(searchedText("A part of the actor, in upper or lower case.")),
  text: Type.Optional(
    searchedText(
      "A part of the action or of the details, in upper or lower case; or the uuid of the person or object.",
    ),
  ),
  from: Type.Optional(moment("At or after.")),
  to: Type.Optional(moment("Before.")),
};
export const AuditQuery = Type.Object({ ...bothWaysQuery, ...filters });
export type AuditQuery = Static<typeof AuditQuery>;

const list = { method: "GET", path: `${organization}/audit`, role: "admin" } as const;

export const auditOperations = {
  listAudit: {
    ...list,
    summary: "Who did what",
    query: AuditQuery,
    answer: bothWaysPage(AuditLine),
  },
  downloadAudit: exportOf(list, {
    what: "The audit log",
    query: Type.Object({ ...exportStart, ...filters }),
  }),
} as const satisfies Record<string, ConsoleOperation>;

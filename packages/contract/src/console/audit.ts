import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { wireTimestamp } from "../schema/answers.js";
import { uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { download, exactJson, nullable, searchedText, word } from "./fields.js";
import { cursorPage, cursorQuery } from "./paging.js";

export const AuditSubject = Type.Object(
  {
    kind: word(["api-key", "person", "location", "lead", "organization", "run"]),
    uuid: uuid(),
    name: nullable(
      Type.String({
        description:
          "How it is called now; of a key with its prefix. Null: it is gone, or a run, which has none.",
      }),
    ),
  },
  { $id: "AuditSubject", description: "Whom or what it was done to." },
);
export type AuditSubject = Static<typeof AuditSubject>;

export const AuditLine = Type.Object(
  {
    uuid: uuid(),
    at: wireTimestamp(),
    actor: Type.String(),
    address: nullable(Type.String({ description: "Where they came from; null: the command line." })),
    action: Type.String(),
    subject: nullable(AuditSubject),
    detail: exactJson(),
  },
  { $id: "AuditLine" },
);
export type AuditLine = Static<typeof AuditLine>;

const AuditQuery = Type.Object({
  ...cursorQuery,
  action: Type.Optional(searchedText("Such as api-key.create; or its beginning, such as api-key.")),
});
export type AuditQuery = Static<typeof AuditQuery>;

const AuditDownloadQuery = Type.Object({
  before: cursorQuery.before,
  action: AuditQuery.properties.action,
});

export const auditOperations = {
  listAudit: {
    method: "GET",
    path: `${organization}/audit`,
    role: "admin",
    summary: "Who did what",
    query: AuditQuery,
    answer: cursorPage(AuditLine),
  },
  downloadAudit: {
    method: "GET",
    path: `${organization}/audit.:format`,
    role: "admin",
    audited: true,
    summary: "The audit log as a file, the newest 50,000 entries",
    description: "Older ones follow with the uuid of the last line in `before`.",
    query: AuditDownloadQuery,
    answer: download("text/csv", "application/x-ndjson"),
  },
} as const satisfies Record<string, ConsoleOperation>;

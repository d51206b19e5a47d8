import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { wireTimestamp } from "../schema/answers.js";
import { uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { exactJson, nullable, searchedText } from "./fields.js";
import { cursorPage, cursorQuery } from "./paging.js";

export const AuditLine = Type.Object(
  {
    uuid: uuid(),
    at: wireTimestamp(),
    actor: Type.String(),
    action: Type.String(),
    subjectUuid: nullable(uuid()),
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

export const auditOperations = {
  listAudit: {
    method: "GET",
    path: `${organization}/audit`,
    role: "admin",
    summary: "Who did what",
    query: AuditQuery,
    answer: cursorPage(AuditLine),
  },
} as const satisfies Record<string, ConsoleOperation>;

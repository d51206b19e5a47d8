import { Type } from "../schema/type.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { download, typed } from "./fields.js";

export const wholeExportOperations = {
  exportOrganization: {
    method: "GET",
    path: `${organization}/export.ndjson`,
    role: "admin",
    audited: true,
    summary: "Export everything of the organization in one file",
    description:
      "A line for each record, run, lead and audit log entry, from one database snapshot, in the format of docs/reference/export.md; `gatehouse import-export` reads it. An interrupted file lacks its last line: truncate it after its last mark, request the rest with that mark's `resume`, and append it. 409 while another export of the organization is running, or if what has left before is not all there any more.",
    query: Type.Object({
      resume: Type.Optional(typed("The `resume` of a mark: returns what follows it.")),
    }),
    answer: download("application/x-ndjson"),
  },
} as const satisfies Record<string, ConsoleOperation>;

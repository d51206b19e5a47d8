import { Type } from "../schema/type.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { download, typed } from "./fields.js";

export const wholeExportOperations = {
  exportOrganization: {
    method: "GET",
    path: `${organization}/export.ndjson`,
    role: "admin",
    audited: true,
    summary: "Everything of the organization, as one file",
    description:
      "A line for each record, run, lead and entry of the audit log, from one moment of the database, in the form of docs/reference/export.md; `gatehouse import-export` reads it. A file that was cut short lacks its last line: cut it behind its last mark, ask for what follows with that mark's `resume`, and append it. 409 while another export of the organization is under way, or if what has left before is not all there any more.",
    query: Type.Object({
      resume: Type.Optional(typed("The `resume` of a mark: only what follows it.")),
    }),
    answer: download("application/x-ndjson"),
  },
} as const satisfies Record<string, ConsoleOperation>;

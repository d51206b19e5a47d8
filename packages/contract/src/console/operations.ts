import type { Static, TSchema } from "typebox";
import { Type } from "../schema/type.js";
import { accountOperations } from "./account.js";
import { apiKeyOperations } from "./api-keys.js";
import { auditOperations } from "./audit.js";
import { root, type ConsoleOperation } from "./declare.js";
import { fileUploadOperations } from "./file-uploads.js";
import { installationOperations } from "./installation.js";
import { leadOperations } from "./leads.js";
import { keyUseOperations } from "./key-use.js";
import { locationOperations } from "./locations.js";
import { mappingOperations } from "./mappings.js";
import { memberOperations } from "./members.js";
import { organizationLimitOperations } from "./organization-limits.js";
import { organizationOperations } from "./organizations.js";
import { overviewOperations } from "./overview.js";
import type { NamesIn, pathParameters } from "./parameters.js";
import { peopleOperations } from "./people.js";
import { recordOperations } from "./records.js";
import { requestOperations } from "./requests.js";
import { retentionOperations } from "./retention.js";
import { runOperations } from "./runs.js";
import { savedViewOperations } from "./saved-views.js";
import { sandboxOperations } from "./sandbox.js";
import { searchOperations } from "./search.js";
import { sessionOperations } from "./sessions.js";
import { undoOperations } from "./undo.js";
import { wholeExportOperations } from "./whole-export.js";

/**
 * The console's internal HTTP interface, used only by its pages: JSON under /console/api. It is separate from the
 * public operations, may change with every release, and uses a session cookie instead of a key. Every operation is
 * listed here with the lowest role that may use it; there are no other role checks.
 *
 * Rules for all operations
 * - Writes need the console's own origin and Content-Type: application/json (an empty body is `{}`), except for pieces
 *   files, which are application/octet-stream.
 * - Errors have the shape ConsoleError.
 * - Paths of an organization answer 404 to people outside it, as if it did not exist.
 */
export const consoleOperations = {
  ...sessionOperations,
  ...accountOperations,
  ...organizationOperations,
  ...organizationLimitOperations,
  ...retentionOperations,
  ...wholeExportOperations,
  ...installationOperations,
  ...memberOperations,
  ...auditOperations,
  ...apiKeyOperations,
  ...requestOperations,
  ...runOperations,
  ...searchOperations,
  ...recordOperations,
  ...leadOperations,
  ...peopleOperations,
  ...locationOperations,
  ...overviewOperations,
  ...keyUseOperations,
  ...undoOperations,
  ...fileUploadOperations,
  ...mappingOperations,
  ...savedViewOperations,
  ...sandboxOperations,
  getConsoleInterface: {
    method: "GET",
    path: `${root}/openapi.json`,
    role: "operator",
    summary: "This document",
    answer: Type.Unsafe<object>({ type: "object" }),
  },
} as const satisfies Record<string, ConsoleOperation>;

export type ConsoleOperationName = keyof typeof consoleOperations;
export const consoleOperationNames = Object.keys(consoleOperations) as ConsoleOperationName[];

type Declared<Name extends ConsoleOperationName> = (typeof consoleOperations)[Name];
type StaticPart<Operation, Part extends string> =
  Operation extends Record<Part, infer Schema extends TSchema> ? Static<Schema> : undefined;

export type AnswerOf<Name extends ConsoleOperationName> = Static<Declared<Name>["answer"]>;
export type BodyOf<Name extends ConsoleOperationName> = StaticPart<Declared<Name>, "body">;
export type QueryOf<Name extends ConsoleOperationName> = StaticPart<Declared<Name>, "query">;
export type ParametersOf<Name extends ConsoleOperationName> = {
  [Parameter in NamesIn<Declared<Name>["path"]> & keyof typeof pathParameters]: Static<
    (typeof pathParameters)[Parameter]
  >;
};

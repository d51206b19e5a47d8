import { capitalized, importResourceNames, type ImportResourceName } from "./import-resources.js";
import { maxBodyBytes, maxLeadBytes, maxMappingBytes, maxPieceRequestBytes } from "./limits.js";
import type { Permission } from "./permissions.js";

/** At most `requests` in any sliding window of `windowSeconds`, counted per organization or per client address. */
export interface RateLimit {
  requests: number;
  windowSeconds: number;
  per: "organization" | "address";
}

export interface Operation {
  method: "GET" | "POST" | "DELETE";
  path: string;
  permission: Permission;
  limit: RateLimit;
  /** The largest accepted body. Absent: the default of the interface. */
  maxBytes?: number;
  summary: string;
  /** Operations that the specification does not have. */
  ours?: true;
}

const perOrganization = (requests: number): RateLimit => ({
  requests,
  windowSeconds: 60,
  per: "organization",
});
const perAddress = (requests: number): RateLimit => ({ requests, windowSeconds: 60, per: "address" });

/** The limit of endpoints that do not declare one. */
export const generalLimit: RateLimit = perAddress(5);

type BatchOperations<Verb extends string, End extends string> = {
  [Name in ImportResourceName as `${Verb}${Capitalize<Name>}`]: Operation & {
    path: `/integrations/${Name}${End}`;
  };
};

/** The operations that take a batch, one for each importable resource. */
function batchOperations<Verb extends string, End extends string>(
  verb: Verb,
  end: End,
  describe: (name: ImportResourceName) => Pick<Operation, "summary" | "ours">,
): BatchOperations<Verb, End> {
  const named = importResourceNames.map((name): [string, Operation] => [
    verb + capitalized(name),
    {
      method: "POST",
      path: `/integrations/${name}${end}`,
      permission: `${name}:write`,
      limit: perOrganization(60),
      ...describe(name),
    },
  ]);
  return Object.fromEntries(named) as BatchOperations<Verb, End>;
}

const uploads = "/integrations/uploads";

/** What the operations for files have in common. */
function upload<Method extends Operation["method"], Path extends string>(
  method: Method,
  path: Path,
  requests: number,
) {
  const limit = perOrganization(requests);
  return { method, path, permission: "uploads:write", limit, ours: true } as const;
}

/** One row per operation. The name is used in the route, OpenAPI, the log, the metrics and GATEHOUSE_LIMITS. */
export const operations = {
  submitLead: {
    method: "POST",
    path: "/lead/submit",
    permission: "leads:write",
    limit: generalLimit,
    maxBytes: maxLeadBytes,
    summary: "Submit one lead",
  },
  ...batchOperations("import", "", (name) => ({ summary: `Import a batch of ${name}` })),
  listLocations: {
    method: "GET",
    path: "/integrations/locations",
    permission: "locations:read",
    limit: perOrganization(300),
    summary: "List the organization's locations",
  },
  listImports: {
    method: "GET",
    path: "/integrations/imports",
    permission: "imports:read",
    limit: perOrganization(300),
    summary: "List past import runs",
  },
  getImport: {
    method: "GET",
    path: "/integrations/imports/:referenceUuid",
    permission: "imports:read",
    limit: perOrganization(300),
    summary: "Get one import run with its results",
  },
  ...batchOperations("validate", "/validate", (name) => ({
    summary: `Check a batch of ${name} without storing it`,
    ours: true,
  })),
  listMappings: {
    ...upload("GET", "/integrations/mappings", 300),
    summary: "List the saved mappings",
  },
  createUpload: {
    ...upload("POST", uploads, 60),
    summary: "Announce a file",
  },
  sendUploadPiece: {
    ...upload("POST", `${uploads}/:uploadUuid/pieces`, 600),
    maxBytes: maxPieceRequestBytes,
    summary: "Send a piece of the file",
  },
  startUpload: {
    ...upload("POST", `${uploads}/:uploadUuid/start`, 60),
    maxBytes: maxMappingBytes,
    summary: "Check or import the file in the background",
  },
  getUpload: {
    ...upload("GET", `${uploads}/:uploadUuid`, 300),
    summary: "Get an upload with its progress and problems",
  },
  listUploads: {
    ...upload("GET", uploads, 300),
    summary: "List the uploads",
  },
  listUploadOutcomes: {
    ...upload("GET", `${uploads}/:uploadUuid/outcomes`, 300),
    summary: "List the rows of an upload with their outcomes",
  },
  downloadUploadFailures: {
    ...upload("GET", `${uploads}/:uploadUuid/failures.csv`, 60),
    summary: "Download the failed rows in the columns of the file",
  },
  cancelUpload: {
    ...upload("POST", `${uploads}/:uploadUuid/cancel`, 60),
    summary: "Cancel an upload and delete its file",
  },
  removeUpload: {
    ...upload("DELETE", `${uploads}/:uploadUuid`, 60),
    summary: "Delete an upload with the outcomes of its rows",
  },
} as const satisfies Record<string, Operation>;

export function maxBytesOf(operation: Operation): number {
  return operation.maxBytes ?? maxBodyBytes;
}

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as OperationName[];

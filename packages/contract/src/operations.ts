import { capitalized, importResourceNames, type ImportResourceName } from "./import-resources.js";
import { maxBodyBytes, maxLeadBytes } from "./limits.js";
import type { Permission } from "./permissions.js";

/** At most `requests` in any sliding window of `windowSeconds`, counted per organization or per client address. */
export interface RateLimit {
  requests: number;
  windowSeconds: number;
  per: "organization" | "address";
}

export interface Operation {
  method: "GET" | "POST";
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
} as const satisfies Record<string, Operation>;

export function maxBytesOf(operation: Operation): number {
  return operation.maxBytes ?? maxBodyBytes;
}

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as OperationName[];

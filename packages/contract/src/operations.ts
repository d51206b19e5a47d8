import { account } from "./entities/account.js";
import { subscription } from "./entities/subscription.js";
import { transaction } from "./entities/transaction.js";
import { maxBodyBytes, maxLeadBytes } from "./limits.js";
import type { Permission } from "./permissions.js";

/** At no moment are more than `requests` accepted within the last `windowSeconds`, counted per organization or per client address. */
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
  /** Of the body; strictly more is refused. Absent: an ordinary body of the interface. */
  maxBytes?: number;
  summary: string;
  /** Operations of our own beside the published interface. */
  ours?: true;
}

const perOrganization = (requests: number): RateLimit => ({
  requests,
  windowSeconds: 60,
  per: "organization",
});
const perAddress = (requests: number): RateLimit => ({ requests, windowSeconds: 60, per: "address" });

/** What an endpoint that states no limit of its own falls under. */
export const generalLimit: RateLimit = perAddress(5);

/** One row an operation. The name is the same in the route, OpenAPI, the log, the metrics and GATEHOUSE_LIMITS. */
export const operations = {
  submitLead: {
    method: "POST",
    path: "/lead/submit",
    permission: "leads:write",
    limit: generalLimit,
    maxBytes: maxLeadBytes,
    summary: "Submit one lead",
  },
  importTransactions: {
    method: "POST",
    path: "/integrations/transactions",
    permission: "transactions:write",
    limit: perOrganization(60),
    summary: "Import a batch of transactions",
  },
  importAccounts: {
    method: "POST",
    path: "/integrations/accounts",
    permission: "accounts:write",
    limit: perOrganization(60),
    summary: "Import a batch of accounts",
  },
  importSubscriptions: {
    method: "POST",
    path: "/integrations/subscriptions",
    permission: "subscriptions:write",
    limit: perOrganization(60),
    summary: "Import a batch of subscriptions",
  },
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
  validateTransactions: {
    method: "POST",
    path: "/integrations/transactions/validate",
    permission: "transactions:write",
    limit: perOrganization(60),
    summary: "Check a batch of transactions without storing it",
    ours: true,
  },
  validateAccounts: {
    method: "POST",
    path: "/integrations/accounts/validate",
    permission: "accounts:write",
    limit: perOrganization(60),
    summary: "Check a batch of accounts without storing it",
    ours: true,
  },
  validateSubscriptions: {
    method: "POST",
    path: "/integrations/subscriptions/validate",
    permission: "subscriptions:write",
    limit: perOrganization(60),
    summary: "Check a batch of subscriptions without storing it",
    ours: true,
  },
} as const satisfies Record<string, Operation>;

export function maxBytesOf(operation: Operation): number {
  return operation.maxBytes ?? maxBodyBytes;
}

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as OperationName[];

/** What differs between the three import endpoints on the wire. */
export const importResources = {
  transactions: {
    resource: 1,
    importOperation: "importTransactions",
    validateOperation: "validateTransactions",
    maxRecords: 500,
    entity: transaction,
    keyField: transaction.key,
  },
  accounts: {
    resource: 2,
    importOperation: "importAccounts",
    validateOperation: "validateAccounts",
    maxRecords: 100,
    entity: account,
    keyField: account.key,
  },
  subscriptions: {
    resource: 3,
    importOperation: "importSubscriptions",
    validateOperation: "validateSubscriptions",
    maxRecords: 100,
    entity: subscription,
    keyField: subscription.key,
  },
} as const;
export type ImportResourceName = keyof typeof importResources;

import type {
  ImportResourceName,
  OperationName,
  ReasonCode,
  importResources,
  operations,
  receiptHeader as headerOfReceipts,
} from "@gatehouse-parking/contract";

/**
 * The few facts of the contract that the client needs when it runs. They are written out, so that a program which uses
 * the client loads nothing else; the types hold them to the contract, and so does a test.
 */
export const paths = {
  submitLead: "/lead/submit",
  importTransactions: "/integrations/transactions",
  importAccounts: "/integrations/accounts",
  importSubscriptions: "/integrations/subscriptions",
  listLocations: "/integrations/locations",
  listImports: "/integrations/imports",
  getImport: "/integrations/imports/:referenceUuid",
  validateTransactions: "/integrations/transactions/validate",
  validateAccounts: "/integrations/accounts/validate",
  validateSubscriptions: "/integrations/subscriptions/validate",
} as const satisfies { [Name in OperationName]: (typeof operations)[Name]["path"] };

type ResourceFacts<Name extends ImportResourceName> = Pick<
  (typeof importResources)[Name],
  "resource" | "importOperation" | "validateOperation" | "maxRecords"
>;

export const resources = {
  transactions: {
    resource: 1,
    importOperation: "importTransactions",
    validateOperation: "validateTransactions",
    maxRecords: 500,
  },
  accounts: {
    resource: 2,
    importOperation: "importAccounts",
    validateOperation: "validateAccounts",
    maxRecords: 100,
  },
  subscriptions: {
    resource: 3,
    importOperation: "importSubscriptions",
    validateOperation: "validateSubscriptions",
    maxRecords: 100,
  },
} as const satisfies { [Name in ImportResourceName]: ResourceFacts<Name> };

export const resourceNames = Object.keys(resources) as ImportResourceName[];

export const receiptHeader = "X-Import-Receipt" satisfies typeof headerOfReceipts;

export const maxBodyBytes = 5 * 1024 * 1024;

/** The name of each reason code; ReasonCode has the code of each name. */
export const reasonNames = {
  1: "DuplicateTransactionId",
  2: "LocationNotFound",
  3: "InvalidVendor",
  4: "MissingRequiredField",
  5: "ValidationFailed",
  6: "AccountNotFound",
  7: "SubscriptionNotFound",
  8: "ContactNotFound",
  9: "VehicleNotFound",
  99: "InternalError",
} as const satisfies { [Name in keyof typeof ReasonCode as (typeof ReasonCode)[Name]]: Name };

export type ReasonName = keyof typeof ReasonCode;

// Made from packages/contract by npm run openapi. The types hold it to the contract: what is missing does not compile.
import type * as contract from "@gatehouse-parking/contract";

export const TransactionType = { Transient: 1, Monthly: 2, Flex: 3, Reservation: 4 } as const satisfies typeof contract.TransactionType;
export type TransactionType = contract.TransactionType;

export const BookingSource = { App: 1, Website: 2, Whitelabel: 3, Text: 4, Other: 5, CustomerApi: 6 } as const satisfies typeof contract.BookingSource;
export type BookingSource = contract.BookingSource;

export const AccountType = { Monthly: 1, Flex: 2, Reservation: 3 } as const satisfies typeof contract.AccountType;
export type AccountType = contract.AccountType;

export const SubscriptionStatus = { Active: 1, Suspended: 2, Cancelled: 3, PendingApproval: 4, Expired: 5 } as const satisfies typeof contract.SubscriptionStatus;
export type SubscriptionStatus = contract.SubscriptionStatus;

export const RunStatus = { Completed: 1, Failed: 2, PartialSuccess: 3 } as const satisfies typeof contract.RunStatus;
export type RunStatus = contract.RunStatus;

export const RecordStatus = { Created: 1, Updated: 2, Skipped: 3, Failed: 4 } as const satisfies typeof contract.RecordStatus;
export type RecordStatus = contract.RecordStatus;

export const ReasonCode = {
  DuplicateTransactionId: 1,
  LocationNotFound: 2,
  InvalidVendor: 3,
  MissingRequiredField: 4,
  ValidationFailed: 5,
  AccountNotFound: 6,
  SubscriptionNotFound: 7,
  ContactNotFound: 8,
  VehicleNotFound: 9,
  InternalError: 99
} as const satisfies typeof contract.ReasonCode;
export type ReasonCode = contract.ReasonCode;

export const ImportResource = { Transactions: 1, Accounts: 2, Subscriptions: 3 } as const satisfies typeof contract.ImportResource;
export type ImportResource = contract.ImportResource;

export const leadSources = [
  "QR",
  "Website",
  "Referral",
  "InPerson",
  "SocialMedia",
  "Advertisement",
  "DashPage",
  "DashForm",
  "Other"
] as const satisfies typeof contract.leadSources;
export type LeadSource = contract.LeadSource;

export const maxBodyBytes = 5242880 as const satisfies typeof contract.maxBodyBytes;

export const maxLeadBytes = 262144 as const satisfies typeof contract.maxLeadBytes;

export const maxMetadataDepth = 64 as const satisfies typeof contract.maxMetadataDepth;

export const maxKeptFailures = 100 as const satisfies typeof contract.maxKeptFailures;

export const locationPages = { defaultPageSize: 100, maxPageSize: 500 } as const satisfies typeof contract.locationPages;

export const importPages = { defaultPageSize: 20, maxPageSize: 100 } as const satisfies typeof contract.importPages;

export const uploadPieceBytes = 1048576 as const satisfies typeof contract.uploadPieceBytes;

export const maxPieceRequestBytes = 4194304 as const satisfies typeof contract.maxPieceRequestBytes;

export const storedWithOtherValues = "already stored with other values" as const satisfies typeof contract.storedWithOtherValues;

export const receiptHeader = "X-Import-Receipt" as const satisfies typeof contract.receiptHeader;

export const receiptAlgorithm = "EdDSA" as const satisfies typeof contract.receiptAlgorithm;

export const receiptType = "gatehouse-receipt+jwt" as const satisfies typeof contract.receiptType;

export const receiptVersion = 1 as const satisfies typeof contract.receiptVersion;

export const maxReceiptLength = 2048 as const satisfies typeof contract.maxReceiptLength;

export const receiptToleranceMs = 300000 as const satisfies typeof contract.receiptToleranceMs;

export const errorStatuses = {
  httpsRequired: 403,
  loopbackOnly: 403,
  keyMissing: 401,
  keyInvalid: 401,
  keyRefused: 403,
  permissionMissing: 403,
  originRefused: 403,
  quotaExceeded: 403,
  notFound: 404,
  methodNotAllowed: 405,
  requestTimeout: 408,
  requestMalformed: 400,
  expectationFailed: 417,
  transferCodingUnknown: 501,
  headersTooLarge: 431,
  bodyTooLarge: 413,
  tooManyRecords: 413,
  unsupportedMediaType: 415,
  bodyInvalid: 400,
  bodyMalformed: 400,
  envelopeInvalid: 400,
  batchEmpty: 400,
  openQuestions: 400,
  conflict: 409,
  idempotencyConflict: 422,
  rateLimited: 429,
  internal: 500,
  captchaUnavailable: 503,
  databaseUnavailable: 503,
  runNotReadable: 503,
  shuttingDown: 503,
  overloaded: 503
} as const satisfies { [Name in contract.ErrorName]: (typeof contract.errors)[Name]["status"] };

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
  listMappings: "/integrations/mappings",
  createUpload: "/integrations/uploads",
  sendUploadPiece: "/integrations/uploads/:uploadUuid/pieces",
  startUpload: "/integrations/uploads/:uploadUuid/start",
  getUpload: "/integrations/uploads/:uploadUuid",
  listUploads: "/integrations/uploads",
  listUploadOutcomes: "/integrations/uploads/:uploadUuid/outcomes",
  downloadUploadFailures: "/integrations/uploads/:uploadUuid/failures.csv",
  cancelUpload: "/integrations/uploads/:uploadUuid/cancel",
  removeUpload: "/integrations/uploads/:uploadUuid"
} as const satisfies { [Name in contract.OperationName]: (typeof contract.operations)[Name]["path"] };

export const resources = {
  transactions: {
    resource: 1,
    importOperation: "importTransactions",
    validateOperation: "validateTransactions",
    maxRecords: 500
  },
  accounts: {
    resource: 2,
    importOperation: "importAccounts",
    validateOperation: "validateAccounts",
    maxRecords: 100
  },
  subscriptions: {
    resource: 3,
    importOperation: "importSubscriptions",
    validateOperation: "validateSubscriptions",
    maxRecords: 100
  }
} as const satisfies {
  [Name in contract.ImportResourceName]: Pick<
    (typeof contract.importResources)[Name],
    "resource" | "importOperation" | "validateOperation" | "maxRecords"
  >;
};

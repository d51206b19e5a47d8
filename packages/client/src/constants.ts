import type * as contract from "@gatehouse-parking/contract";
import { maxBodyBytes, resourceNames, resources } from "./interface.js";

/**
 * The numbers and words of the interface by name. As in interface.ts they are written out, so that a program which uses
 * the client loads nothing else, and the types hold them to the contract: what is missing here does not compile.
 */
export const TransactionType = {
  Transient: 1,
  Monthly: 2,
  Flex: 3,
  Reservation: 4,
} as const satisfies typeof contract.TransactionType;
export type TransactionType = contract.TransactionType;

export const BookingSource = {
  App: 1,
  Website: 2,
  Whitelabel: 3,
  Text: 4,
  Other: 5,
  CustomerApi: 6,
} as const satisfies typeof contract.BookingSource;
export type BookingSource = contract.BookingSource;

export const AccountType = {
  Monthly: 1,
  Flex: 2,
  Reservation: 3,
} as const satisfies typeof contract.AccountType;
export type AccountType = contract.AccountType;

export const SubscriptionStatus = {
  Active: 1,
  Suspended: 2,
  Cancelled: 3,
  PendingApproval: 4,
  Expired: 5,
} as const satisfies typeof contract.SubscriptionStatus;
export type SubscriptionStatus = contract.SubscriptionStatus;

export const RunStatus = {
  Completed: 1,
  Failed: 2,
  PartialSuccess: 3,
} as const satisfies typeof contract.RunStatus;
export type RunStatus = contract.RunStatus;

/** Updated is part of the enumeration, but is never returned: a replay does not change a stored record. */
export const RecordStatus = {
  Created: 1,
  Updated: 2,
  Skipped: 3,
  Failed: 4,
} as const satisfies typeof contract.RecordStatus;
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
  InternalError: 99,
} as const satisfies typeof contract.ReasonCode;
export type ReasonCode = contract.ReasonCode;

/** The `resource` of a run. */
export const ImportResource = Object.fromEntries(
  resourceNames.map((name) => [name.charAt(0).toUpperCase() + name.slice(1), resources[name].resource]),
) as typeof contract.ImportResource;
export type ImportResource = contract.ImportResource;

/** What the `source` of a lead may be. */
export const leadSources = [
  "QR",
  "Website",
  "Referral",
  "InPerson",
  "SocialMedia",
  "Advertisement",
  "DashPage",
  "DashForm",
  "Other",
] as const satisfies typeof contract.leadSources;
export type LeadSource = contract.LeadSource;

/** What a single request may hold, and what a list gives at once. */
export const limits = {
  maxBodyBytes,
  maxLeadBytes: 262_144,
  maxMetadataDepth: 64,
  /** How many failures of a run getImport returns. The answer to the import itself has all of them. */
  maxKeptFailures: 100,
  /** By resource. */
  maxRecords: Object.fromEntries(resourceNames.map((name) => [name, resources[name].maxRecords])) as {
    [Name in keyof typeof resources]: (typeof resources)[Name]["maxRecords"];
  },
  locationPages: { defaultPageSize: 100, maxPageSize: 500 },
  importPages: { defaultPageSize: 20, maxPageSize: 100 },
} as const;

/** Every name that the header X-Error can have (`errorName` of an error), with the status of its answer. */
export const errorStatuses = {
  requestMalformed: 400,
  bodyInvalid: 400,
  bodyMalformed: 400,
  envelopeInvalid: 400,
  batchEmpty: 400,
  keyMissing: 401,
  keyInvalid: 401,
  httpsRequired: 403,
  loopbackOnly: 403,
  keyRefused: 403,
  permissionMissing: 403,
  originRefused: 403,
  quotaExceeded: 403,
  notFound: 404,
  methodNotAllowed: 405,
  requestTimeout: 408,
  bodyTooLarge: 413,
  tooManyRecords: 413,
  unsupportedMediaType: 415,
  expectationFailed: 417,
  idempotencyConflict: 422,
  rateLimited: 429,
  headersTooLarge: 431,
  internal: 500,
  transferCodingUnknown: 501,
  captchaUnavailable: 503,
  databaseUnavailable: 503,
  runNotReadable: 503,
  shuttingDown: 503,
  overloaded: 503,
} as const satisfies { [Name in contract.ErrorName]: (typeof contract.errors)[Name]["status"] };
export type ErrorName = contract.ErrorName;

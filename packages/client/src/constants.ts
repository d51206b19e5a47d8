import {
  errorStatuses,
  importPages,
  locationPages,
  maxBodyBytes,
  maxKeptFailures,
  maxLeadBytes,
  maxMetadataDepth,
  ReasonCode,
  resources,
} from "./contract.js";
import type { ImportResourceName } from "@gatehouse-parking/contract";

/** The numbers and words of the interface by name. Every name of `errorStatuses` can be the `errorName` of an error. */
export {
  AccountType,
  BookingSource,
  ImportResource,
  leadSources,
  RecordStatus,
  RunStatus,
  SubscriptionStatus,
  TransactionType,
  type LeadSource,
} from "./contract.js";
export { errorStatuses, ReasonCode };
export type ErrorName = keyof typeof errorStatuses;
export type ReasonName = keyof typeof ReasonCode;

/** The name of each reason code; ReasonCode has the code of each name. */
export const reasonNames = inverted(ReasonCode);

/** In the order of their numbers. */
const resourceNames = Object.keys(resources) as ImportResourceName[];

/** What a single request may hold, and what a list gives at once. */
export const limits = {
  maxBodyBytes,
  maxLeadBytes,
  maxMetadataDepth,
  /** How many failures of a run getImport returns. The answer to the import itself has all of them. */
  maxKeptFailures,
  /** By resource. */
  maxRecords: Object.fromEntries(resourceNames.map((name) => [name, resources[name].maxRecords])) as {
    [Name in keyof typeof resources]: (typeof resources)[Name]["maxRecords"];
  },
  locationPages,
  importPages,
} as const;

function inverted<Codes extends Record<string, number>>(codes: Codes) {
  return Object.fromEntries(Object.entries(codes).map(([name, code]) => [code, name])) as {
    readonly [Name in keyof Codes as Codes[Name]]: Name;
  };
}

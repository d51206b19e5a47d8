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

/** Enumerations by name. Every name in `errorStatuses` can be the `errorName` of an error. */
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

/** Maps reason codes to names; ReasonCode maps names to codes. */
export const reasonNames = inverted(ReasonCode);

/** Ordered by resource number. */
const resourceNames = Object.keys(resources) as ImportResourceName[];

/** Limits of requests and list pages. */
export const limits = {
  maxBodyBytes,
  maxLeadBytes,
  maxMetadataDepth,
  /**
   * The number of failures that getImport returns. The response to the import itself contains all of them.
   */
  maxKeptFailures,
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

/**
 * The integer enumerations of the interface: plain objects from name to number, which the schema, the documentation,
 * the importer's name mapping and the console's labels share.
 */

export const TransactionType = { Transient: 1, Monthly: 2, Flex: 3, Reservation: 4 } as const;
export const BookingSource = {
  App: 1,
  Website: 2,
  Whitelabel: 3,
  Text: 4,
  Other: 5,
  CustomerApi: 6,
} as const;
export const AccountType = { Monthly: 1, Flex: 2, Reservation: 3 } as const;
export const SubscriptionStatus = {
  Active: 1,
  Suspended: 2,
  Cancelled: 3,
  PendingApproval: 4,
  Expired: 5,
} as const;

export const RunStatus = { Completed: 1, Failed: 2, PartialSuccess: 3 } as const;
/** Updated is part of the enumeration, but no operation returns it: a resent record never changes the stored one. */
export const RecordStatus = { Created: 1, Updated: 2, Skipped: 3, Failed: 4 } as const;

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
] as const;

type ValueOf<T> = T[keyof T];
export type TransactionType = ValueOf<typeof TransactionType>;
export type BookingSource = ValueOf<typeof BookingSource>;
export type AccountType = ValueOf<typeof AccountType>;
export type SubscriptionStatus = ValueOf<typeof SubscriptionStatus>;
export type RunStatus = ValueOf<typeof RunStatus>;
export type RecordStatus = ValueOf<typeof RecordStatus>;
export type LeadSource = (typeof leadSources)[number];

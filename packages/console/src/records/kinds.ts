import { AccountType, BookingSource, SubscriptionStatus, TransactionType } from "@gatehouse-parking/contract";
import type { RecordKind } from "@gatehouse-parking/contract/console";

interface Kind {
  plural: string;
  singular: string;
  /** What a filter on `type` means for this kind. */
  type?: { label: string; values: Record<string, number> };
  /** What the text filter looks at the beginning of. */
  text: string;
  hasLocation: boolean;
}

export const kinds: Record<RecordKind, Kind> = {
  transactions: {
    plural: "Transactions",
    singular: "Transaction",
    type: { label: "Type", values: TransactionType },
    text: "transactionId starts with",
    hasLocation: true,
  },
  accounts: {
    plural: "Accounts",
    singular: "Account",
    type: { label: "Type", values: AccountType },
    text: "tpReferenceId starts with",
    hasLocation: true,
  },
  subscriptions: {
    plural: "Subscriptions",
    singular: "Subscription",
    type: { label: "Status", values: SubscriptionStatus },
    text: "tpReferenceId starts with",
    hasLocation: true,
  },
  contacts: { plural: "Contacts", singular: "Contact", text: "E-mail starts with", hasLocation: false },
  vehicles: { plural: "Vehicles", singular: "Vehicle", text: "Plate starts with", hasLocation: false },
};

export function isRecordKind(text: string | undefined): text is RecordKind {
  return text !== undefined && text in kinds;
}

const enumerations: Partial<Record<RecordKind, Record<string, Record<string, number>>>> = {
  transactions: { type: TransactionType, bookingSource: BookingSource },
  accounts: { type: AccountType },
  subscriptions: { status: SubscriptionStatus },
};

/** The name of an enumeration's value, if the field is one. */
export function enumName(kind: RecordKind, field: string, value: unknown): string | undefined {
  const values = enumerations[kind]?.[field];
  return Object.entries(values ?? {}).find(([, number]) => number === value)?.[0];
}

/** PendingApproval becomes Pending approval; amountTotal becomes Amount total. */
export function words(name: string): string {
  const spaced = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/\b(tp|TP)(?=\b| )/g, "third-party")
    .toLowerCase()
    .replaceAll(/\bapi\b/g, "API");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

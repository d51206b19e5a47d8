import type { RecordKind } from "@gatehouse-parking/contract/console";
import {
  IconBuildingSkyscraper,
  IconCar,
  IconReceipt,
  IconRepeat,
  IconUsers,
  type Icon,
} from "../ui/icons.js";
import { recordFacts } from "./facts.js";

/** How the pages show each kind of record, in the order of the navigation. */
const looks: Record<RecordKind, Looks> = {
  transactions: {
    icon: IconReceipt,
    typeField: "type",
    columns: [
      { field: "type", from: "tablet" },
      { field: "amountTotal", align: "right" },
      { field: "transactionDate", optional: true },
      { field: "netAmount", align: "right", optional: true },
      { field: "isRefunded", optional: true },
      { field: "cardType", optional: true },
      { field: "promoCode", optional: true },
      { field: "bookingSource", optional: true },
      { field: "sessionStart", optional: true },
      { field: "sessionEnd", optional: true },
    ],
  },
  accounts: {
    icon: IconBuildingSkyscraper,
    typeField: "type",
    columns: [
      { field: "accountNumber", from: "desktop" },
      { field: "type", from: "tablet" },
      { field: "contactEmail", from: "desktop" },
      { field: "isActive", from: "desktop" },
      { field: "contactName", optional: true },
      { field: "contactPhoneNumber", optional: true },
    ],
  },
  subscriptions: {
    icon: IconRepeat,
    typeField: "status",
    columns: [
      { field: "status" },
      { field: "permitNumber", from: "tablet" },
      { field: "currentRate", align: "right", from: "desktop" },
      { field: "permitType", optional: true },
      { field: "numberOfSpaces", align: "right", optional: true },
      { field: "startDate", optional: true },
      { field: "endDate", optional: true },
    ],
  },
  contacts: {
    icon: IconUsers,
    reference: "E-mail",
    columns: [
      { field: "phoneNumber", from: "tablet" },
      { field: "firstName", optional: true },
      { field: "lastName", optional: true },
    ],
  },
  vehicles: {
    icon: IconCar,
    reference: "Plate",
    columns: [
      { field: "state", from: "tablet" },
      { field: "color", from: "desktop" },
      { field: "make", optional: true },
      { field: "model", optional: true },
      { field: "year", align: "right", optional: true },
    ],
  },
};

interface Looks {
  icon: Icon;
  /** What the text filter looks at the beginning of. Absent: the field that the reference comes from. */
  reference?: string;
  /** The field that the filter of types looks at. */
  typeField?: string;
  /** The columns of its list, besides the reference and the title. */
  columns: readonly {
    field: string;
    align?: "right";
    from?: "tablet" | "desktop";
    /** For whoever chooses it. */
    optional?: boolean;
  }[];
}

interface Kind {
  plural: string;
  singular: string;
  icon: Icon;
  columns: Looks["columns"];
  /** What a filter on `type` means for this kind. */
  type?: { label: string; values: Record<string, number> };
  /** What the text filter says. */
  text: string;
  hasLocation: boolean;
}

export const recordKinds = Object.keys(looks) as RecordKind[];

export const kinds = Object.fromEntries(recordKinds.map((kind) => [kind, toKind(kind)])) as Record<
  RecordKind,
  Kind
>;

function toKind(kind: RecordKind): Kind {
  const { singular, referenceField, hasLocation, enumerations } = recordFacts[kind];
  const { icon, columns, typeField, reference = referenceField } = looks[kind];
  const values = typeField === undefined ? undefined : enumerations[typeField];
  return {
    plural: words(kind),
    singular: words(singular),
    icon,
    columns,
    ...(typeField === undefined || values === undefined ? {} : { type: { label: words(typeField), values } }),
    text: `${reference} starts with`,
    hasLocation,
  };
}

export function isRecordKind(text: string | undefined): text is RecordKind {
  return text !== undefined && Object.hasOwn(kinds, text);
}

/** The name of an enumeration's value, if the field is one. */
export function enumName(kind: RecordKind, field: string, value: unknown): string | undefined {
  const values = recordFacts[kind].enumerations[field];
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

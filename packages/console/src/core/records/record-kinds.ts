import type { RecordKind } from "@gatehouse-parking/contract/console";
import {
  importResourceNames,
  importResources,
  type ImportResource,
  type ImportResourceName,
} from "@gatehouse-parking/contract";
import {
  IconBuildingSkyscraper,
  IconCar,
  IconReceipt,
  IconRepeat,
  IconUsers,
  type Icon,
} from "../ui/icons.js";
import { recordFacts } from "./record-facts.js";
import { texts } from "./texts.js";

/** How each kind of record is displayed, in the order of the navigation. */
const displays: Record<RecordKind, KindDisplay> = {
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
    reference: texts.references.contacts,
    columns: [
      { field: "phoneNumber", from: "tablet" },
      { field: "firstName", optional: true },
      { field: "lastName", optional: true },
    ],
  },
  vehicles: {
    icon: IconCar,
    reference: texts.references.vehicles,
    columns: [
      { field: "state", from: "tablet" },
      { field: "color", from: "desktop" },
      { field: "make", optional: true },
      { field: "model", optional: true },
      { field: "year", align: "right", optional: true },
    ],
  },
};

interface KindDisplay {
  icon: Icon;
  /** The label of the text filter. Default: the field that the reference comes from. */
  reference?: string;
  /** The field that the type filter uses. */
  typeField?: string;
  /** The columns of the list, besides reference and title. */
  columns: readonly {
    field: string;
    align?: "right";
    from?: "tablet" | "desktop";
    /** Hidden until the user chooses it. */
    optional?: boolean;
  }[];
}

interface Kind {
  plural: string;
  singular: string;
  icon: Icon;
  columns: KindDisplay["columns"];
  /** The filter on `type`. */
  type?: { label: string; values: Record<string, number> };
  /** The label of the text filter. */
  text: string;
  hasLocation: boolean;
}

export const recordKinds = Object.keys(displays) as RecordKind[];

export const kinds = Object.fromEntries(recordKinds.map((kind) => [kind, toKind(kind)])) as Record<
  RecordKind,
  Kind
>;

function toKind(kind: RecordKind): Kind {
  const { singular, referenceField, hasLocation, enumerations } = recordFacts[kind];
  const { icon, columns, typeField, reference = referenceField } = displays[kind];
  const values = typeField === undefined ? undefined : enumerations[typeField];
  return {
    plural: toLabel(kind),
    singular: toLabel(singular),
    icon,
    columns,
    ...(typeField === undefined || values === undefined
      ? {}
      : { type: { label: toLabel(typeField), values } }),
    text: texts.startsWith(reference),
    hasLocation,
  };
}

export function isRecordKind(text: string | undefined): text is RecordKind {
  return text !== undefined && Object.hasOwn(kinds, text);
}

/** The name of an enumeration value. */
export function enumName(kind: RecordKind, field: string, value: unknown): string | undefined {
  const values = recordFacts[kind].enumerations[field];
  return Object.entries(values ?? {}).find(([, number]) => number === value)?.[0];
}

export function isAmount(kind: RecordKind, field: string): boolean {
  return recordFacts[kind].amounts.includes(field);
}

/** Amounts have at least two decimals; further ones stay. */
export function amountText(kind: RecordKind, field: string, value: unknown): string | undefined {
  const text = String(value);
  if (!isAmount(kind, field) || !/^-?\d+(?:\.\d+)?$/.test(text)) return undefined;
  const [whole, decimals = ""] = text.split(".");
  return `${whole}.${decimals.padEnd(2, "0")}`;
}

/** PendingApproval becomes Pending approval; amountTotal becomes Amount total. */
export function toLabel(name: string): string {
  const spaced = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/\b(tp|TP)(?=\b| )/g, "third-party")
    .toLowerCase()
    .replaceAll(/\bapi\b/g, "API");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

export function resourceName(resource: ImportResource): ImportResourceName {
  return importResourceNames.find((name) => importResources[name].resource === resource) ?? "transactions";
}

export function resourceTitle(resource: ImportResource): string {
  return kinds[resourceName(resource)].plural;
}

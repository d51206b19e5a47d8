import { emailKey, isObject, isStorableText, phoneDigits, plateKey } from "@gatehouse-parking/contract";
import type { World } from "./world.js";

/**
 * How one relation of a record is resolved: by uuid if one is given, then by third-party reference, then by the
 * nested object, which is matched and otherwise to be created. A uuid that names nothing fails the record, whatever
 * else is given; a reference that names nothing gives way to a nested object.
 */
export type Via = "uuid" | "reference" | "email" | "phone" | "plate" | "created" | "dropped";

export type Resolution =
  | { kind: "none" }
  | { kind: "found"; id: string; via: Via }
  | { kind: "to create"; nested: Record<string, unknown> }
  | { kind: "not found"; field: string };

interface Match {
  id: string;
  via: Via;
}

export interface Relation {
  reasonCode: 6 | 7 | 8 | 9;
  noun: string;
  uuidField: string;
  referenceField?: string;
  nestedField: string;
  byId(world: World): Map<string, string>;
  byReference?(world: World): Map<string, string>;
  match(world: World, nested: Record<string, unknown>): Match | undefined;
}

export const relations = {
  account: {
    reasonCode: 6,
    noun: "an account",
    uuidField: "accountUuid",
    referenceField: "accountTPReferenceId",
    nestedField: "account",
    byId: (world) => world.accountsById,
    byReference: (world) => world.accountsByReference,
    match: (world, nested) => matchText(world.accountsByReference, nested["tpReferenceId"], "reference"),
  },
  contact: {
    reasonCode: 8,
    noun: "a contact",
    uuidField: "contactUuid",
    nestedField: "contact",
    byId: (world) => world.contactsById,
    match: (world, nested) =>
      matchText(world.contactsByEmail, nested["email"], "email", emailKey) ??
      matchText(world.contactsByPhone, nested["phoneNumber"], "phone", phoneDigits),
  },
  vehicle: {
    reasonCode: 9,
    noun: "a vehicle",
    uuidField: "vehicleUuid",
    nestedField: "vehicle",
    byId: (world) => world.vehiclesById,
    match: (world, nested) => matchText(world.vehiclesByPlate, nested["licensePlate"], "plate", plateKey),
  },
  subscription: {
    reasonCode: 7,
    noun: "a subscription",
    uuidField: "subscriptionUuid",
    referenceField: "subscriptionTPReferenceId",
    nestedField: "subscription",
    byId: (world) => world.subscriptionsById,
    byReference: (world) => world.subscriptionsByReference,
    match: (world, nested) => matchText(world.subscriptionsByReference, nested["tpReferenceId"], "reference"),
  },
} satisfies Record<string, Relation>;

export function resolve(relation: Relation, record: Record<string, unknown>, world: World): Resolution {
  const uuid = record[relation.uuidField];
  if (typeof uuid === "string") {
    const id = relation.byId(world).get(uuid.toLowerCase());
    return id === undefined
      ? { kind: "not found", field: relation.uuidField }
      : { kind: "found", id, via: "uuid" };
  }
  const nested = record[relation.nestedField];
  const reference = relation.referenceField === undefined ? undefined : record[relation.referenceField];
  if (typeof reference === "string") {
    const id = relation.byReference?.(world).get(reference);
    if (id !== undefined) return { kind: "found", id, via: "reference" };
    if (!isObject(nested)) return { kind: "not found", field: relation.referenceField as string };
  }
  if (!isObject(nested)) return { kind: "none" };
  const match = relation.match(world, nested);
  return match ? { kind: "found", ...match } : { kind: "to create", nested };
}

/**
 * The account of a nested subscription: the one that it names itself, and the record's only if it names none. One that
 * names nothing existing gets no account at all: it is never attached to another than the one it names.
 */
export function accountOfSubscription(
  subscription: Record<string, unknown>,
  accountOfRecord: string | null,
  world: World,
): string | null {
  const uuid = subscription["accountUuid"];
  if (typeof uuid === "string") return world.accountsById.get(uuid.toLowerCase()) ?? null;
  const reference = subscription["accountTPReferenceId"];
  if (typeof reference === "string") return world.accountsByReference.get(reference) ?? null;
  return accountOfRecord;
}

function matchText(
  index: Map<string, string>,
  value: unknown,
  via: Via,
  toKey: (text: string) => string = (text) => text,
): Match | undefined {
  const id = isMatchable(value) ? index.get(toKey(value)) : undefined;
  return id === undefined ? undefined : { id, via };
}

/** More code units than the longest field that is matched, an e-mail address, can have. */
const maxMatchableLength = 640;

/** Text that something stored could be matched by. Megabytes of it are not worth normalizing. */
export function isMatchable(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxMatchableLength && isStorableText(value);
}

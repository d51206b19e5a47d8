import {
  Account,
  AccountType,
  BookingSource,
  Contact,
  Subscription,
  SubscriptionStatus,
  Transaction,
  TransactionType,
  Vehicle,
  type FieldSchema,
  type ImportResourceName,
} from "@gatehouse-parking/contract";

/** What a value of one field has to become; `names` are those of an enumeration. */
export interface Field {
  kind: "text" | "time" | "amount" | "integer" | "flag" | "metadata";
  names?: Readonly<Record<string, number>>;
}

/** The fields of a record by name, and the objects nested in it. */
export interface FieldTree {
  fields: ReadonlyMap<string, Field>;
  nested: ReadonlyMap<string, FieldTree>;
}

interface ObjectSchema {
  $id?: string;
  properties: Record<string, FieldSchema & { anyOf?: { $ref?: string }[] }>;
}

const nestedSchemas: Record<string, object> = { Account, Contact, Vehicle, Subscription };

const enumerations: Record<string, Readonly<Record<string, number>>> = {
  "Transaction.type": TransactionType,
  "Transaction.bookingSource": BookingSource,
  "Account.type": AccountType,
  "Subscription.status": SubscriptionStatus,
};

export const fieldTrees: Readonly<Record<ImportResourceName, FieldTree>> = {
  transactions: treeOf(Transaction),
  accounts: treeOf(Account),
  subscriptions: treeOf(Subscription),
};

/** The contract's schema says what each column has to become, so a field that is added there is known here. */
function treeOf(schema: object): FieldTree {
  const { $id = "", properties } = schema as ObjectSchema;
  const fields = new Map<string, Field>();
  const nested = new Map<string, FieldTree>();
  for (const [name, field] of Object.entries(properties)) {
    const reference = field.anyOf?.find((alternative) => alternative.$ref)?.$ref;
    if (reference) nested.set(name, treeOf(nestedSchemas[reference] as object));
    else {
      const names = enumerations[`${$id}.${name}`];
      fields.set(name, { kind: kindOf(field), ...(names ? { names } : {}) });
    }
  }
  return { fields, nested };
}

function kindOf(field: FieldSchema): Field["kind"] {
  const [type] = [field.type].flat();
  if (type === "boolean") return "flag";
  if (type === "integer") return "integer";
  if (type === "number") return "amount";
  if (type === "object") return "metadata";
  return field.format === "timestamp" || field.format === "date-or-timestamp" ? "time" : "text";
}

/** Every path that a column can be named after, such as vehicle.licensePlate. */
export function knownPaths(tree: FieldTree, prefix = ""): string[] {
  return [
    ...[...tree.fields.keys()].map((name) => prefix + name),
    ...[...tree.nested].flatMap(([name, inner]) => [
      prefix + name,
      ...knownPaths(inner, `${prefix}${name}.`),
    ]),
  ];
}

import {
  Account,
  Contact,
  Subscription,
  Transaction,
  Vehicle,
  compileRecordCheck,
  importResources,
  type ImportResourceName,
  type OperationName,
  type RecordCheck,
} from "@gatehouse-parking/contract";
import { createAccount, createSubscription, createTransaction, type Create } from "./decide.js";

/** What differs between the three resources. Everything else in this folder is the same for all. */
export interface ResourceDefinition {
  name: ImportResourceName;
  /** As it is said to partners at the beginning of a sentence. */
  noun: string;
  number: 1 | 2 | 3;
  importOperation: OperationName;
  validateOperation: OperationName;
  maxRecords: number;
  keyField: string;
  keyColumn: string;
  check: RecordCheck;
  /** Resolves what the record refers to and, if it all resolves, makes its rows. */
  create: Create;
}

const nested = { Account, Contact, Vehicle, Subscription };
const options = { uuidFormat: "looked up", nested } as const;

function define(
  name: ImportResourceName,
  rest: Pick<ResourceDefinition, "noun" | "keyColumn" | "check" | "create">,
): ResourceDefinition {
  const { resource: number, ...published } = importResources[name];
  return { name, number, ...published, ...rest };
}

/** All names that a field of a record, or of an object nested in it, can have. */
export const fieldNames: ReadonlySet<string> = new Set(
  [Transaction, Account, Contact, Vehicle, Subscription].flatMap((schema) => Object.keys(schema.properties)),
);

export const resources: readonly ResourceDefinition[] = [
  define("transactions", {
    noun: "A transaction",
    keyColumn: "transaction_id",
    check: compileRecordCheck(Transaction, options),
    create: createTransaction,
  }),
  define("accounts", {
    noun: "An account",
    keyColumn: "tp_reference_id",
    check: compileRecordCheck(Account, options),
    create: createAccount,
  }),
  define("subscriptions", {
    noun: "A subscription",
    keyColumn: "tp_reference_id",
    check: compileRecordCheck(Subscription, options),
    create: createSubscription,
  }),
];

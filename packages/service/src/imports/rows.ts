import {
  emailKey,
  localTime,
  parseTimestamp,
  phoneDigits,
  plateKey,
  utcOffsetSeconds,
} from "@gatehouse-parking/contract";
import { CopyLine, copyHex, copyNull, copyText, sqlDate, type CopyValue } from "../database/copy-text.js";
import { uuidv7 } from "../uuidv7.js";
import type { Candidate } from "./candidate.js";
import { encodeColumns, nestedColumns, recordColumns, type Column } from "./columns.js";
import type { Via } from "./relations.js";
import type { World } from "./world.js";

/** The rows that a batch will store, already in COPY's text format, and the functions that make them. */
export type EntityTable = "accounts" | "contacts" | "vehicles" | "subscriptions" | "transactions";
export type Rows = Record<EntityTable, string[]>;

/** Entities come before the records that link to them, though nothing in the database insists on it. */
export const entityTables: readonly EntityTable[] = [
  "accounts",
  "contacts",
  "vehicles",
  "subscriptions",
  "transactions",
];

export function noRows(): Rows {
  return { accounts: [], contacts: [], vehicles: [], subscriptions: [], transactions: [] };
}

/** Who imports: every row of a run carries it. */
export interface RunIdentity {
  organizationId: string;
  runId: string;
  createdAt: string;
}

/** Where an entity is being made: the record it comes from, and everything the making changes. */
export interface Making {
  run: RunIdentity;
  world: World;
  rows: Rows;
  candidate: Candidate;
}

const origin = ["import_run_id", "position", "created_at"];

const columnsAfter: Record<EntityTable, string[]> = {
  accounts: ["location_id", "fingerprint", ...origin],
  contacts: ["email_key", "phone_key", ...origin],
  vehicles: ["plate_key", ...origin],
  subscriptions: ["account_id", "location_id", "fingerprint", ...origin],
  transactions: [
    "location_id",
    "time_zone",
    "utc_offset_seconds",
    "local_date",
    "account_id",
    "account_via",
    "contact_id",
    "contact_via",
    "vehicle_id",
    "vehicle_via",
    "subscription_id",
    "subscription_via",
    "fingerprint",
    ...origin,
  ],
};

/** After the organization, which is the same in all lines, comes the key: sorting lines as text sorts them by key. */
export function columnsOfTable(table: EntityTable): string[] {
  const columns: readonly Column[] = { ...nestedColumns, ...recordColumns }[table];
  return ["organization_id", ...columns.map((column) => column.name), "id", ...columnsAfter[table]];
}

const lines = Object.fromEntries(
  entityTables.map((table) => [table, new CopyLine(columnsOfTable(table).length)]),
) as Record<EntityTable, CopyLine>;

type Fields = Record<string, unknown>;

/** `origin`: whether the object is the imported record itself or nested in one. */
export function makeAccount(making: Making, account: Fields, origin: "record" | "nested"): string {
  const { world } = making;
  const columns = origin === "record" ? recordColumns.accounts : nestedColumns.accounts;
  const id = addRow(making, "accounts", columns, account, [
    uuidOrNull(account["locationUuid"]),
    fingerprintOf(making, origin),
  ]);
  world.add(world.accountsByReference, account["tpReferenceId"] as string, id);
  return id;
}

export function makeContact(making: Making, contact: Fields): string {
  const { world } = making;
  const email = textOrUndefined(contact["email"], emailKey);
  const phone = textOrUndefined(contact["phoneNumber"], phoneDigits);
  const id = addRow(making, "contacts", nestedColumns.contacts, contact, [
    textOrNull(email),
    textOrNull(phone),
  ]);
  world.add(world.contactsByEmail, email, id);
  world.add(world.contactsByPhone, phone, id);
  return id;
}

export function makeVehicle(making: Making, vehicle: Fields): string {
  const { world } = making;
  const plate = plateKey(vehicle["licensePlate"] as string);
  const id = addRow(making, "vehicles", nestedColumns.vehicles, vehicle, [copyText(plate)]);
  world.add(world.vehiclesByPlate, plate, id);
  return id;
}

export function makeSubscription(
  making: Making,
  subscription: Fields,
  origin: "record" | "nested",
  accountId: string,
): string {
  const { world } = making;
  const columns = origin === "record" ? recordColumns.subscriptions : nestedColumns.subscriptions;
  const id = addRow(making, "subscriptions", columns, subscription, [
    accountId,
    uuidOrNull(subscription["locationUuid"]),
    fingerprintOf(making, origin),
  ]);
  world.add(world.subscriptionsByReference, subscription["tpReferenceId"] as string, id);
  return id;
}

export interface Link {
  id: string | null;
  via: Via | null;
}
export type Links = Record<"account" | "contact" | "vehicle" | "subscription", Link>;

export function makeTransaction(making: Making, links: Links): string {
  const { record } = making.candidate;
  const { account, contact, vehicle, subscription } = links;
  const locationId = (record["locationUuid"] as string).toLowerCase();
  const timeZone = making.world.locations.get(locationId) as string;
  const moment = parseTimestamp(record["transactionDate"] as string) as number;
  const offset = utcOffsetSeconds(timeZone, moment);
  return addRow(making, "transactions", recordColumns.transactions, record, [
    locationId,
    copyText(timeZone),
    String(offset),
    sqlDate(localTime(moment, offset)),
    account.id ?? copyNull,
    account.via ?? copyNull,
    contact.id ?? copyNull,
    contact.via ?? copyNull,
    vehicle.id ?? copyNull,
    vehicle.via ?? copyNull,
    subscription.id ?? copyNull,
    subscription.via ?? copyNull,
    copyHex(making.candidate.fingerprint),
  ]);
}

function addRow(
  { run, rows, candidate }: Making,
  table: EntityTable,
  columns: readonly Column[],
  fields: Fields,
  after: CopyValue[],
): string {
  const id = uuidv7();
  const line = lines[table].begin();
  line.add(run.organizationId);
  encodeColumns(line, columns, fields, candidate.source);
  line.add(id);
  for (const value of after) line.add(value);
  line.add(run.runId);
  line.add(String(candidate.position));
  line.add(run.createdAt);
  rows[table].push(line.end());
  return id;
}

/** What is nested has no fingerprint of its own: it would be that of another text than its own record's. */
function fingerprintOf({ candidate }: Making, origin: "record" | "nested"): CopyValue {
  return origin === "record" ? copyHex(candidate.fingerprint) : copyNull;
}

/** Only called for references that were resolved, so a string here is one of the organization's locations. */
function uuidOrNull(value: unknown): CopyValue {
  return typeof value === "string" ? value.toLowerCase() : copyNull;
}

function textOrUndefined(value: unknown, toKey: (text: string) => string): string | undefined {
  return typeof value === "string" ? toKey(value) : undefined;
}

function textOrNull(value: string | undefined): CopyValue {
  return value === undefined ? copyNull : copyText(value);
}

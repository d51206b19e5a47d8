import { emailKey, parseTimestamp, phoneDigits, plateKey } from "@gatehouse/contract";
import { copyBytes, copyNull, copyText, sqlDate, type CopyValue } from "../database/copy-text.js";
import { uuidv7 } from "../database/uuidv7.js";
import type { Candidate } from "./candidate.js";
import { encodeColumns, entityColumns } from "./columns.js";
import { localTime, utcOffsetSeconds } from "./local-time.js";
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

const columnsBefore = ["organization_id", "id"];
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

export function columnsOfTable(table: EntityTable): string[] {
  return [...columnsBefore, ...entityColumns[table].map((column) => column.name), ...columnsAfter[table]];
}

type Fields = Record<string, unknown>;

export function makeAccount(making: Making, account: Fields, path: readonly string[]): string {
  const { world } = making;
  const id = addRow(making, "accounts", account, path, [
    uuidOrNull(account["locationUuid"]),
    path.length === 0 ? copyBytes(making.candidate.fingerprint) : copyNull,
  ]);
  world.add(world.accountsById, id, id);
  world.add(world.accountsByReference, account["tpReferenceId"] as string, id);
  return id;
}

export function makeContact(making: Making, contact: Fields, path: readonly string[]): string {
  const { world } = making;
  const email = textOrUndefined(contact["email"], emailKey);
  const phone = textOrUndefined(contact["phoneNumber"], phoneDigits);
  const id = addRow(making, "contacts", contact, path, [textOrNull(email), textOrNull(phone)]);
  world.add(world.contactsById, id, id);
  world.add(world.contactsByEmail, email, id);
  world.add(world.contactsByPhone, phone, id);
  return id;
}

export function makeVehicle(making: Making, vehicle: Fields, path: readonly string[]): string {
  const { world } = making;
  const plate = plateKey(vehicle["licensePlate"] as string);
  const id = addRow(making, "vehicles", vehicle, path, [copyText(plate)]);
  world.add(world.vehiclesById, id, id);
  world.add(world.vehiclesByPlate, plate, id);
  return id;
}

export function makeSubscription(
  making: Making,
  subscription: Fields,
  path: readonly string[],
  accountId: string,
): string {
  const { world } = making;
  const id = addRow(making, "subscriptions", subscription, path, [
    accountId,
    uuidOrNull(subscription["locationUuid"]),
    path.length === 0 ? copyBytes(making.candidate.fingerprint) : copyNull,
  ]);
  world.add(world.subscriptionsById, id, id);
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
  const locationId = (record["locationUuid"] as string).toLowerCase();
  const timeZone = making.world.locations.get(locationId) as string;
  const moment = parseTimestamp(record["transactionDate"] as string) as number;
  const offset = utcOffsetSeconds(timeZone, moment);
  return addRow(
    making,
    "transactions",
    record,
    [],
    [
      locationId,
      copyText(timeZone),
      String(offset),
      sqlDate(localTime(moment, offset)),
      ...[links.account, links.contact, links.vehicle, links.subscription].flatMap((link) => [
        link.id ?? copyNull,
        link.via ?? copyNull,
      ]),
      copyBytes(making.candidate.fingerprint),
    ],
  );
}

function addRow(
  { run, rows, candidate }: Making,
  table: EntityTable,
  fields: Fields,
  path: readonly string[],
  after: CopyValue[],
): string {
  const id = uuidv7();
  const values = encodeColumns(entityColumns[table], fields, candidate.source, path);
  rows[table].push(
    [run.organizationId, id, ...values, ...after, run.runId, String(candidate.position), run.createdAt].join(
      "\t",
    ),
  );
  return id;
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

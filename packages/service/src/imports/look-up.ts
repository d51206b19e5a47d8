import { emailKey, isObject, isUuid, phoneDigits, plateKey } from "@gatehouse-parking/contract";
import type pg from "pg";
import { isCandidate, isUsableKey, type Candidate, type Submitted } from "./candidate.js";
import { isMatchable } from "./relations.js";
import type { ResourceDefinition } from "./resources.js";
import { World, type StoredRecord } from "./world.js";

/**
 * Step 2: everything the decisions need, in two statements, however many records there are. Each key is looked up
 * through its index by a lateral join: a plain `= any(keys)` made the planner scan whole tables while a young
 * database had no statistics. They are asked for in their order, so that neighbours in the index are read one after the
 * other. A batch whose keys are all stored finds them in the first statement and needs no second;
 * one that was recognized as a replay needs neither.
 */
export async function lookUp(
  client: pg.ClientBase,
  organizationId: string,
  resource: ResourceDefinition,
  submitted: readonly Submitted[],
): Promise<World> {
  const world = new World();
  const candidates = submitted.filter(isCandidate);
  const keys = new Set(candidates.flatMap((candidate) => candidate.key ?? []));
  for (const [key, record] of await findStored(client, organizationId, resource, keys)) {
    world.records.set(key, record);
  }
  const fresh = candidates.filter(
    (candidate) => candidate.key === undefined || !world.records.has(candidate.key),
  );
  if (fresh.length > 0) await findRelated(client, organizationId, wantedBy(fresh, resource), world);
  return world;
}

/** The records that are stored under these keys. */
export async function findStored(
  client: pg.ClientBase | pg.Pool,
  organizationId: string,
  resource: ResourceDefinition,
  keys: ReadonlySet<string>,
): Promise<Map<string, StoredRecord>> {
  if (keys.size === 0) return new Map();
  const wanted = [...keys].toSorted();
  const { rows } = await client.query<[ordinal: number, id: string, fingerprint: string | null]>({
    name: `find-${resource.name}`,
    rowMode: "array",
    text: `
      select wanted.ordinal, found.id, found.fingerprint
      from json_array_elements_text($2) with ordinality as wanted (key, ordinal)
      cross join lateral (
        select id, encode(fingerprint, 'hex') as fingerprint from ${resource.name}
        where organization_id = $1 and ${resource.keyColumn} = wanted.key
        limit 1
      ) as found`,
    values: [organizationId, JSON.stringify(wanted)],
  });
  return new Map(
    rows.map(([ordinal, id, fingerprint]) => [
      wanted[ordinal - 1] as string,
      { id, fingerprint, madeBy: undefined },
    ]),
  );
}

/** What can be looked up: in which table and column, and where the finding is kept. */
const lookUps = [
  { index: "locations", table: "locations", column: "id", yields: "time_zone" },
  { index: "accountsById", table: "accounts", column: "id", yields: "id::text" },
  { index: "accountsByReference", table: "accounts", column: "tp_reference_id", yields: "id::text" },
  { index: "contactsById", table: "contacts", column: "id", yields: "id::text" },
  { index: "contactsByEmail", table: "contacts", column: "email_key", yields: "id::text" },
  { index: "contactsByPhone", table: "contacts", column: "phone_key", yields: "id::text" },
  { index: "vehiclesById", table: "vehicles", column: "id", yields: "id::text" },
  { index: "vehiclesByPlate", table: "vehicles", column: "plate_key", yields: "id::text" },
  { index: "subscriptionsById", table: "subscriptions", column: "id", yields: "id::text" },
  {
    index: "subscriptionsByReference",
    table: "subscriptions",
    column: "tp_reference_id",
    yields: "id::text",
  },
] as const;
type Index = (typeof lookUps)[number]["index"];
type Wanted = Record<Index, Set<string>>;

const findRelatedStatement = lookUps
  .map(
    ({ table, column, yields }, number) => `
      select ${number}, wanted.ordinal, found.value
      from json_array_elements_text($${number + 2}) with ordinality as wanted (key, ordinal)
      cross join lateral (
        select ${yields} as value from ${table}
        where organization_id = $1 and ${column} = wanted.key${column === "id" ? "::uuid" : ""}
        limit 1
      ) as found`,
  )
  .join(" union all ");

async function findRelated(
  client: pg.ClientBase,
  organizationId: string,
  wanted: Wanted,
  world: World,
): Promise<void> {
  const keys = lookUps.map(({ index }) => [...wanted[index]].toSorted());
  if (keys.every((list) => list.length === 0)) return;
  const { rows } = await client.query<[number: number, ordinal: number, value: string]>({
    name: "find-related",
    rowMode: "array",
    text: findRelatedStatement,
    values: [organizationId, ...keys.map((list) => JSON.stringify(list))],
  });
  for (const [number, ordinal, value] of rows) {
    const { index } = lookUps[number] as (typeof lookUps)[number];
    world[index].set((keys[number] as string[])[ordinal - 1] as string, value);
  }
}

function wantedBy(candidates: readonly Candidate[], resource: ResourceDefinition): Wanted {
  const wanted = Object.fromEntries(lookUps.map(({ index }) => [index, new Set<string>()])) as Wanted;
  for (const { record } of candidates) {
    wantUuid(wanted.locations, record["locationUuid"]);
    if (resource.name === "accounts") continue;
    wantAccount(wanted, record);
    if (resource.name === "transactions") wantRelations(wanted, record);
  }
  return wanted;
}

function wantRelations(wanted: Wanted, record: Record<string, unknown>): void {
  const { account, contact, vehicle, subscription } = record;
  wantUuid(wanted.contactsById, record["contactUuid"]);
  wantUuid(wanted.vehiclesById, record["vehicleUuid"]);
  wantUuid(wanted.subscriptionsById, record["subscriptionUuid"]);
  wantKey(wanted.subscriptionsByReference, record["subscriptionTPReferenceId"]);
  if (isObject(account)) {
    wantKey(wanted.accountsByReference, account["tpReferenceId"]);
    wantUuid(wanted.locations, account["locationUuid"]);
  }
  if (isObject(contact)) {
    wantText(wanted.contactsByEmail, contact["email"], emailKey);
    wantText(wanted.contactsByPhone, contact["phoneNumber"], phoneDigits);
  }
  if (isObject(vehicle)) wantText(wanted.vehiclesByPlate, vehicle["licensePlate"], plateKey);
  if (isObject(subscription)) {
    wantKey(wanted.subscriptionsByReference, subscription["tpReferenceId"]);
    wantUuid(wanted.locations, subscription["locationUuid"]);
    wantAccount(wanted, subscription);
  }
}

function wantAccount(wanted: Wanted, record: Record<string, unknown>): void {
  wantUuid(wanted.accountsById, record["accountUuid"]);
  wantKey(wanted.accountsByReference, record["accountTPReferenceId"]);
}

function wantUuid(keys: Set<string>, value: unknown): void {
  if (typeof value === "string" && isUuid(value)) keys.add(value.toLowerCase());
}

function wantKey(keys: Set<string>, value: unknown): void {
  if (isUsableKey(value)) keys.add(value);
}

function wantText(keys: Set<string>, value: unknown, toKey: (text: string) => string): void {
  if (isMatchable(value)) keys.add(toKey(value));
}

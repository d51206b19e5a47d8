/**
 * The import as the specification describes it, small and slow, with plain lists instead of a database. It shares no
 * code with the service, so a mistake in either shows as a difference.
 */
export interface Entity {
  id: number;
  reference?: string;
  email?: string;
  phone?: string;
  plate?: string;
  /** Of a subscription: its account. */
  accountId?: number;
}
export type Kind = "account" | "contact" | "vehicle" | "subscription";
export type Resource = "transactions" | "accounts" | "subscriptions";

export interface State {
  locations: ReadonlySet<string>;
  account: Entity[];
  contact: Entity[];
  vehicle: Entity[];
  subscription: Entity[];
  transactions: { id: number; key: string; links: Record<Kind, number | null> }[];
  nextId: number;
  /** Remembered keys of deleted records, by resource and key. */
  known: Map<string, number>;
  /** The entity with this uuid, as far as uuids are known from the answers and the database. */
  idOf(uuid: string): number | undefined;
}

export type Expected =
  | { status: 1; id: number }
  | { status: 3; id: number }
  | { status: 4; reasonCode: number };

type Fields = Record<string, unknown>;

export interface ExpectedRun {
  results: Expected[];
  created: Record<"accounts" | "contacts" | "vehicles" | "subscriptions", number>;
}

export function importBatch(state: State, resource: Resource, records: readonly unknown[]): ExpectedRun {
  const counts = () =>
    [state.account, state.contact, state.vehicle, state.subscription].map((list) => list.length);
  const before = counts();
  const results = records.map((record) => judge(state, resource, record));
  const [accounts = 0, contacts = 0, vehicles = 0, subscriptions = 0] = counts().map((count, index) =>
    resource === "transactions" ? count - (before[index] as number) : 0,
  );
  return { results, created: { accounts, contacts, vehicles, subscriptions } };
}

/** What an import has created: everything that exists now and did not before. */
export function createdSince(before: ReadonlySet<number>, state: State): Set<number> {
  return new Set([...idsOf(state)].filter((id) => !before.has(id)));
}

export function idsOf(state: State): Set<number> {
  const lists = [state.account, state.contact, state.vehicle, state.subscription, state.transactions];
  return new Set(lists.flatMap((list) => list.map(({ id }) => id)));
}

/** Undoes an import: deletes everything it created that nothing else refers to, until nothing more can be deleted. */
export function undo(state: State, created: ReadonlySet<number>): number {
  let removed = 0;
  for (;;) {
    const referred = new Set<number | null | undefined>(state.subscription.map(({ accountId }) => accountId));
    for (const { links } of state.transactions) for (const id of Object.values(links)) referred.add(id);
    const stays = ({ id }: { id: number }) => !created.has(id) || referred.has(id);
    const before = idsOf(state).size;
    state.account = state.account.filter(stays);
    state.contact = state.contact.filter(stays);
    state.vehicle = state.vehicle.filter(stays);
    state.subscription = state.subscription.filter(stays);
    state.transactions = state.transactions.filter(stays);
    const gone = before - idsOf(state).size;
    if (gone === 0) return removed;
    removed += gone;
  }
}

function judge(state: State, resource: Resource, record: unknown): Expected {
  if (!isFields(record)) return { status: 4, reasonCode: 5 };
  const key = record[resource === "transactions" ? "transactionId" : "tpReferenceId"];
  if (isUsableKey(key)) {
    const known = existing(state, resource, key);
    if (known !== undefined) return { status: 3, id: known };
  }
  const codes = new Set<number>();
  if (resource === "accounts") {
    checkAccount(state, record, codes);
    return codes.size > 0 ? failed(codes) : { status: 1, id: addAccount(state, record) };
  }
  if (resource === "subscriptions") return judgeSubscription(state, record, codes);
  return judgeTransaction(state, record, codes);
}

function existing(state: State, resource: Resource, key: string): number | undefined {
  const stored = keysOf(state).find((each) => each.resource === resource && each.key === key);
  return stored?.id ?? state.known.get(`${resource} ${key}`);
}

function keysOf(state: State): { resource: Resource; key: string; id: number }[] {
  const referred =
    (resource: Resource) =>
    ({ reference, id }: Entity) =>
      reference === undefined ? [] : [{ resource, key: reference, id }];
  return [
    ...state.transactions.map(({ key, id }) => ({ resource: "transactions" as const, key, id })),
    ...state.account.flatMap(referred("accounts")),
    ...state.subscription.flatMap(referred("subscriptions")),
  ];
}

/** Deletes expired records that nothing refers to, and returns them. */
export function deletePast(state: State, past: ReadonlySet<number>, staysKnown: boolean): Set<number> {
  const before = idsOf(state);
  const keys = keysOf(state);
  undo(state, past);
  const left = idsOf(state);
  const gone = new Set([...before].filter((id) => !left.has(id)));
  if (staysKnown)
    for (const { resource, key, id } of keys) if (gone.has(id)) state.known.set(`${resource} ${key}`, id);
  return gone;
}

function failed(codes: Set<number>): Expected {
  return { status: 4, reasonCode: [4, 5, 2, 6, 7, 8, 9].find((code) => codes.has(code)) as number };
}

function judgeSubscription(state: State, record: Fields, codes: Set<number>): Expected {
  checkSubscription(state, record, codes);
  const account = resolve(state, "account", { ...record, account: undefined }, codes);
  const isNamed = [record["accountUuid"], record["accountTPReferenceId"]].some(
    (each) => each !== undefined && each !== null,
  );
  if (account === "none" && !isNamed) codes.add(6);
  if (codes.size > 0 || typeof account !== "number") return failed(codes);
  return { status: 1, id: addSubscription(state, record, account) };
}

function judgeTransaction(state: State, record: Fields, codes: Set<number>): Expected {
  checkRequiredText(record["transactionId"], 128, codes);
  if (isMissing(record["locationUuid"])) codes.add(4);
  else checkLocation(state, record["locationUuid"], codes);
  if (isMissing(record["type"])) codes.add(4);
  else if (![1, 2, 3, 4].includes(record["type"] as number)) codes.add(5);
  if (isMissing(record["transactionDate"])) codes.add(4);
  else if (record["transactionDate"] !== "2026-04-01T14:30:00.000Z") codes.add(5);
  if (record["amountTotal"] !== undefined && typeof record["amountTotal"] !== "number") codes.add(5);
  checkMetadata(record["metadata"], codes);
  checkOptionalReference(record["accountTPReferenceId"], codes);
  checkOptionalReference(record["subscriptionTPReferenceId"], codes);
  checkNested(record["account"], codes, (account) => checkAccount(state, account, codes));
  checkNested(record["contact"], codes, (contact) => checkContact(contact, codes));
  checkNested(record["vehicle"], codes, (vehicle) => checkVehicle(vehicle, codes));
  checkNested(record["subscription"], codes, (subscription) => checkSubscription(state, subscription, codes));

  const found = {
    account: resolve(state, "account", record, codes),
    contact: resolve(state, "contact", record, codes),
    vehicle: resolve(state, "vehicle", record, codes),
    subscription: resolve(state, "subscription", record, codes),
  };
  if (codes.size > 0) return failed(codes);

  const account =
    found.account === "new" ? addAccount(state, record["account"] as Fields) : idOrNull(found.account);
  const contact =
    found.contact === "new" ? addContact(state, record["contact"] as Fields) : idOrNull(found.contact);
  const vehicle =
    found.vehicle === "new" ? addVehicle(state, record["vehicle"] as Fields) : idOrNull(found.vehicle);
  let subscription = idOrNull(found.subscription);
  if (found.subscription === "new") {
    const nested = record["subscription"] as Fields;
    const named = accountNamedBy(state, nested);
    const owner = named === undefined ? account : named;
    if (owner !== null) subscription = addSubscription(state, nested, owner);
  }
  const id = state.nextId++;
  const links = { account, contact, vehicle, subscription };
  state.transactions.push({ id, key: record["transactionId"] as string, links });
  return { status: 1, id };
}

const notFound: Record<Kind, number> = { account: 6, subscription: 7, contact: 8, vehicle: 9 };

/** The id of the referenced entity; "new" if it will be created; "none" without a reference or after a failure. */
function resolve(state: State, kind: Kind, record: Fields, codes: Set<number>): number | "new" | "none" {
  const uuid = record[`${kind}Uuid`];
  if (uuid !== undefined && uuid !== null) {
    if (typeof uuid !== "string") {
      codes.add(5);
      return "none";
    }
    const id = byUuid(state, kind, uuid);
    if (id === undefined) codes.add(notFound[kind]);
    return id ?? "none";
  }
  const nested = record[kind];
  const reference =
    kind === "account" || kind === "subscription" ? record[`${kind}TPReferenceId`] : undefined;
  if (typeof reference === "string") {
    const id = state[kind].find((each) => each.reference === reference)?.id;
    if (id !== undefined) return id;
    if (!isFields(nested)) {
      codes.add(notFound[kind]);
      return "none";
    }
  }
  return isFields(nested) ? (match(state, kind, nested) ?? "new") : "none";
}

function byUuid(state: State, kind: Kind, uuid: string): number | undefined {
  const id = state.idOf(uuid.toLowerCase());
  return state[kind].find((each) => each.id === id)?.id;
}

function match(state: State, kind: Kind, nested: Fields): number | undefined {
  const byValue = (field: keyof Entity, value: unknown) =>
    value === undefined ? undefined : state[kind].find((each) => each[field] === value)?.id;
  if (kind === "contact")
    return byValue("email", emailOf(nested["email"])) ?? byValue("phone", phoneOf(nested["phoneNumber"]));
  if (kind === "vehicle") return byValue("plate", plateOf(nested["licensePlate"]));
  return byValue("reference", nested["tpReferenceId"]);
}

/** Undefined: the record has no reference. Null: the referenced entity does not exist. */
function accountNamedBy(state: State, subscription: Fields): number | null | undefined {
  const { accountUuid, accountTPReferenceId } = subscription;
  if (typeof accountUuid === "string") return byUuid(state, "account", accountUuid) ?? null;
  if (typeof accountTPReferenceId !== "string") return undefined;
  return state.account.find((each) => each.reference === accountTPReferenceId)?.id ?? null;
}

function addAccount(state: State, account: Fields): number {
  const id = state.nextId++;
  state.account.push({ id, reference: account["tpReferenceId"] as string });
  return id;
}

function addContact(state: State, contact: Fields): number {
  const id = state.nextId++;
  const email = emailOf(contact["email"]);
  const phone = phoneOf(contact["phoneNumber"]);
  state.contact.push({ id, ...(email ? { email } : {}), ...(phone ? { phone } : {}) });
  return id;
}

function addVehicle(state: State, vehicle: Fields): number {
  const id = state.nextId++;
  state.vehicle.push({ id, plate: plateOf(vehicle["licensePlate"]) as string });
  return id;
}

function addSubscription(state: State, subscription: Fields, accountId: number): number {
  const id = state.nextId++;
  state.subscription.push({ id, reference: subscription["tpReferenceId"] as string, accountId });
  return id;
}

function checkAccount(state: State, account: Fields, codes: Set<number>): void {
  checkRequiredText(account["tpReferenceId"], 128, codes);
  checkRequiredText(account["name"], 256, codes);
  checkOptionalLocation(state, account["locationUuid"], codes);
  checkMetadata(account["metadata"], codes);
}

function checkContact(contact: Fields, codes: Set<number>): void {
  const { email, phoneNumber } = contact;
  if (isMissing(email) && isMissing(phoneNumber)) codes.add(4);
  else {
    const isEmail = typeof email === "string" && /^[a-z]+@[a-z]+\.com$/i.test(email.trim());
    const isPhone =
      typeof phoneNumber === "string" &&
      /^\+?[0-9 -]+$/.test(phoneNumber) &&
      (phoneOf(phoneNumber) ?? "").length >= 5;
    if (email !== undefined && email !== null && !isEmail) codes.add(5);
    if (phoneNumber !== undefined && phoneNumber !== null && !isPhone) codes.add(5);
  }
  checkMetadata(contact["metadata"], codes);
}

function checkVehicle(vehicle: Fields, codes: Set<number>): void {
  checkRequiredText(vehicle["licensePlate"], 32, codes);
  if (
    typeof vehicle["licensePlate"] === "string" &&
    vehicle["licensePlate"].trim() !== "" &&
    plateOf(vehicle["licensePlate"]) === ""
  )
    codes.add(5);
}

function checkSubscription(state: State, subscription: Fields, codes: Set<number>): void {
  checkRequiredText(subscription["tpReferenceId"], 128, codes);
  checkOptionalLocation(state, subscription["locationUuid"], codes);
  const { accountUuid, accountTPReferenceId } = subscription;
  if (accountUuid !== undefined && accountUuid !== null && typeof accountUuid !== "string") codes.add(5);
  checkOptionalReference(accountTPReferenceId, codes);
}

function checkOptionalReference(value: unknown, codes: Set<number>): void {
  if (value !== undefined && value !== null && !(typeof value === "string" && fits(value, 128))) codes.add(5);
}

function checkNested(value: unknown, codes: Set<number>, check: (fields: Fields) => void): void {
  if (value === undefined || value === null) return;
  if (isFields(value)) check(value);
  else codes.add(5);
}

function checkRequiredText(value: unknown, maximum: number, codes: Set<number>): void {
  if (isMissing(value)) codes.add(4);
  else if (typeof value !== "string" || !fits(value, maximum)) codes.add(5);
}

function checkOptionalLocation(state: State, value: unknown, codes: Set<number>): void {
  if (value !== undefined && value !== null) checkLocation(state, value, codes);
}

function checkLocation(state: State, value: unknown, codes: Set<number>): void {
  if (typeof value !== "string") codes.add(5);
  else if (!state.locations.has(value.toLowerCase())) codes.add(2);
}

function checkMetadata(value: unknown, codes: Set<number>): void {
  if (value !== undefined && value !== null && !isFields(value)) codes.add(5);
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

function isUsableKey(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && fits(value, 128);
}

/** Whether the length in code points is allowed and every character can be stored. */
function fits(text: string, maximum: number): boolean {
  return (
    [...text].length <= maximum &&
    ![...text].some((each) => each === "\u0000" || /^[\ud800-\udfff]$/.test(each))
  );
}

function idOrNull(found: number | "new" | "none"): number | null {
  return typeof found === "number" ? found : null;
}

function emailOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim().toLowerCase() : undefined;
}

function phoneOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.replace(/[^0-9]/g, "") : undefined;
}

function plateOf(value: unknown): string | undefined {
  return typeof value === "string" ? value.toUpperCase().replace(/[^A-Z0-9]/g, "") : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

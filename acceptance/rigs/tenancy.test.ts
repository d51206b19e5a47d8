import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer, Sending } from "../requests.js";
import { startFleet, type Fleet, type Tenant } from "./fleet.js";
import { identifyingFields, type IdentifyingField } from "./identifying-fields.js";
import { startRig } from "./rig.js";

let fleet: Fleet;
let owner: Tenant;
let stranger: Tenant;
beforeAll(async () => {
  fleet = await startFleet(1);
  [owner, stranger] = await Promise.all([fleet.newTenant("Owner"), fleet.newTenant("Stranger")]);
});
afterAll(() => fleet.leave());

/**
 * The owner's values, by the field that names them. Each field is tested with separate objects that no
 * earlier test has used.
 */
type Owned = Record<string, string>;

async function ownEverything(field: IdentifyingField): Promise<Owned> {
  const number = newNumber();
  const imported = await send("/integrations/transactions", owner, {
    transactions: [
      {
        transactionId: `T-${number}`,
        locationUuid: owner.locationUuid,
        type: 1,
        transactionDate: "2026-04-01T14:30:00Z",
        account: { tpReferenceId: `A-${number}`, name: "Acme" },
        contact: { email: `c${number}@example.com`, phoneNumber: `+1-55500${number}` },
        vehicle: { licensePlate: `P-${number}` },
        subscription: { tpReferenceId: `S-${number}` },
      },
    ],
  });
  expect(imported.json.createdEntities).toEqual({ accounts: 1, contacts: 1, vehicles: 1, subscriptions: 1 });
  const lead = { email: `c${number}@example.com`, locationUuid: owner.locationUuid };
  const submitted = await send("/lead/submit", owner, lead, { "idempotency-key": `I-${number}` });
  const [linked] = await fleet.database.query(
    `select account_id, contact_id, vehicle_id, subscription_id from transactions
     where organization_id = $1 and transaction_id = $2`,
    [owner.organizationUuid, `T-${number}`],
  );
  return {
    transactionId: `T-${number}`,
    transactionUuid: imported.json.results[0].uuid,
    locationUuid: owner.locationUuid,
    accountUuid: linked.account_id,
    accountTPReferenceId: `A-${number}`,
    "account.tpReferenceId": `A-${number}`,
    "accounts.tpReferenceId": `A-${number}`,
    contactUuid: linked.contact_id,
    email: `c${number}@example.com`,
    phoneNumber: `+1-55500${number}`,
    "contact.tpReferenceId": `C-${number}`,
    vehicleUuid: linked.vehicle_id,
    licensePlate: `P-${number}`,
    subscriptionUuid: linked.subscription_id,
    subscriptionTPReferenceId: `S-${number}`,
    "subscription.tpReferenceId": `S-${number}`,
    "subscriptions.tpReferenceId": `S-${number}`,
    referenceUuid: imported.json.referenceUuid,
    leadUuid: submitted.json.leadUuid,
    "Idempotency-Key": `I-${number}`,
    query: "Owner garage",
    ...(field.name === "uploadUuid" ? { uploadUuid: await ownUpload(number) } : {}),
  };
}

async function ownUpload(number: string): Promise<string> {
  const announced = { fileName: `${number}.csv`, size: 4, resource: "accounts" };
  return (await send("/integrations/uploads", owner, announced)).json.uuid;
}

let lastNumber = 10_000;

/** Five digits that have not named anything yet. */
function newNumber(): string {
  lastNumber += 1;
  return String(lastNumber);
}

function send(path: string, as: Tenant, body?: unknown, headers: Sending["headers"] = {}): Promise<Answer> {
  return service().send(path, { key: as.key, body, headers });
}

function service() {
  const [instance] = fleet.instances;
  return (instance as Fleet["instances"][0]).service;
}

/** What an operation with an identifier in its path needs besides. */
function bodyOf(operationId: string): Sending {
  if (operationId === "startUpload") return { body: { validateOnly: true } };
  const headers = { "content-type": "application/octet-stream" };
  return operationId === "sendUploadPiece" ? { text: "a,b\n", headers } : {};
}

/** @covers R26, R66, R135, R211, R225, R257 */
test("another organization's value in any field of any operation gets the same answer as an unknown value, byte for byte", async () => {
  const rig = startRig("tenancy");
  const fields = identifyingFields();
  const trials: { field: IdentifyingField; owned: Owned }[] = [];
  for (const field of rig.random.shuffled(fields)) {
    const owned = await ownEverything(field);
    trials.push({ field, owned });
    if (!storedOnly.includes(field.name)) await expectToMatter(field, owned);
  }
  const before = await everythingOf(owner);
  for (const { field, owned } of trials) {
    const foreign = valueOf(field, owned);
    const unknown = lookalike(foreign);
    const name = `${field.operationId} ${field.where} ${field.name}`;
    const answers: Record<string, string> = {};
    for (const value of rig.random.shuffled([foreign, unknown])) {
      const answer = await request(field, value, stranger);
      for (const uuid of Object.values(owned).filter((one) => one.length === 36 && one !== value))
        expect(answer.text, `${name} reveals another organization's data`).not.toContain(uuid);
      answers[value] = withoutWhatDiffers(answer, value);
    }
    expect(answers[foreign], name).toBe(answers[unknown]);
  }
  // Nothing of the owner was changed, and no row of the other organization points to it.
  expect(await everythingOf(owner)).toEqual(before);
  expect((await fleet.gatehouse("verify")).json).toMatchObject({ ok: true });
  expect(fields.length).toBeGreaterThan(50);
  rig.held({
    "fields tried": fields.length,
    operations: new Set(fields.map((field) => field.operationId)).size,
  });
});

/** Fields that are stored and never returned. */
const storedOnly = ["contact.tpReferenceId", "email"];

/**
 * The value makes a difference for the owner. Otherwise its lack of effect for the other organization would
 * prove nothing.
 */
async function expectToMatter(field: IdentifyingField, owned: Owned): Promise<void> {
  const own = valueOf(field, owned);
  const unknown = lookalike(own);
  const known = withoutWhatDiffers(await request(field, own, owner), own);
  expect(withoutWhatDiffers(await request(field, unknown, owner), unknown), field.name).not.toBe(known);
}

function valueOf({ name, batch }: IdentifyingField, owned: Owned): string {
  const value = owned[name] ?? owned[`${batch}.${name}`] ?? owned[name.split(".").at(-1) as string];
  if (value === undefined) throw new Error(`The matrix knows no value of another organization for ${name}`);
  return value;
}

/** Of the same kind and length, but unknown. */
function lookalike(value: string): string {
  return value.length === 36 ? randomUUID() : value.replace(/\d{5}|owner/i, newNumber());
}

async function request(field: IdentifyingField, value: string, as: Tenant): Promise<Answer> {
  const { method, where, name, batch } = field;
  if (where === "path") {
    const sending = { key: as.key, method, ...bodyOf(field.operationId) };
    const query = field.operationId === "sendUploadPiece" ? "?offset=0" : "";
    return service().send(field.path.replace(`{${name}}`, value) + query, sending);
  }
  if (where === "query") return send(`${field.path}?${name}=${encodeURIComponent(value)}`, as);
  expect(method).toBe("POST");
  const record = batch === undefined ? leadOf(as) : recordOf(batch, name, as);
  if (where === "header") return send(field.path, as, record, { [name]: value });
  const way = name.split(".");
  const last = way.pop() as string;
  let target = record;
  for (const step of way) target = target[step] as Record<string, unknown>;
  target[last] = value;
  return send(field.path, as, batch === undefined ? record : { [batch]: [record] });
}

function leadOf(as: Tenant): Record<string, unknown> {
  return { email: "jo@example.com", locationUuid: as.locationUuid };
}

/** A valid record with everything that the field needs, and nothing else that could decide in its place. */
function recordOf(batch: string, name: string, as: Tenant): Record<string, unknown> {
  if (batch === "accounts") return { tpReferenceId: `K-${newNumber()}`, name: "Acme" };
  if (batch === "subscriptions")
    return {
      tpReferenceId: `K-${newNumber()}`,
      ...(name.startsWith("account") ? {} : { accountTPReferenceId: "unknown" }),
    };
  const account = { tpReferenceId: `K-${newNumber()}`, name: "Acme" };
  const nested: Record<string, object> = {
    account: { account },
    contact: { contact: { email: `k-${newNumber()}@example.com` } },
    vehicle: { vehicle: { licensePlate: `K-${newNumber()}` } },
    subscription: {
      subscription: { tpReferenceId: `K-${newNumber()}` },
      ...(/\.account/.test(name) ? {} : { account }),
    },
  };
  return {
    transactionId: `K-${newNumber()}`,
    locationUuid: as.locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
    ...(name.includes(".") ? nested[name.split(".")[0] as string] : {}),
  };
}

/** Status, headers and body, without the value itself and the parts that differ between any two requests. */
function withoutWhatDiffers(answer: Answer, value: string): string {
  const varying = ["date", "x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset", "content-length"];
  const headers = Object.entries(answer.headers).filter(([name]) => !varying.includes(name));
  const body = answer.text
    .replaceAll(value, "VALUE")
    .replaceAll(/K-\d{5}/g, "KEY")
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "UUID")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "TIME")
    .replaceAll(/"durationMs":\d+/g, '"durationMs":0');
  return JSON.stringify([answer.status, headers, body]);
}

/** A digest of every row of an organization. */
async function everythingOf(tenant: Tenant): Promise<Record<string, unknown>> {
  const tables = ["transactions", "accounts", "contacts", "vehicles", "subscriptions", "leads", "locations"];
  const found: Record<string, unknown> = {};
  for (const table of [...tables, "import_runs", "import_exceptions"]) {
    [found[table]] = await fleet.database.query(
      `select count(*)::int, md5(string_agg(stored::text, ' ' order by stored::text)) as digest
       from ${table} as stored where organization_id = $1`,
      [tenant.organizationUuid],
    );
  }
  return found;
}

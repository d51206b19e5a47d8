import { beforeAll, expect, test } from "vitest";
import { features } from "../../features.js";
import { findRemovedBy } from "./removed-records.js";
import { useApp, type Tenant } from "../../../testing/harness.js";
import { stringifyExactly } from "@gatehouse-parking/json-text";
import { recordKinds, recordKindNames, type RecordKindName } from "./kinds.js";
import { findRecord, showRecord, type ShownRecord } from "./show-record.js";

const app = useApp();
let tenant: Tenant;
let run: { referenceUuid: string; results: { uuid: string }[] };

/** Values that a JSON parser would change, exactly as they are sent. */
const metadata =
  '{"__proto__":{"x":1},"id":9007199254740993,"pi":3.14159265358979323846264338327950288,"nul":"\\u0000","half":"\\ud800","n":null}';

beforeAll(async () => {
  tenant = await app.tenant();
  const body = `{"transactions":[{
    "transactionId":"T-1","locationUuid":"${tenant.locationUuid}","type":4,"transactionDate":"2026-03-01T03:30:00Z",
    "amountTotal":123456789.10,"netAmount":0,"promotionAmount":null,"sessionStart":"2026-03-01T04:30:00+02:00",
    "metadata":${metadata},
    "account":{"tpReferenceId":"A-1","name":"Acme","metadata":${metadata}},
    "contact":{"email":" Jo@Example.com ","phoneNumber":"+1 (555) 010-0199","tpReferenceId":"C-1"},
    "vehicle":{"licensePlate":"ab-12 ü","year":2020},
    "subscription":{"tpReferenceId":"S-1","currentRate":99.990,"startDate":"2026-04-01"}
  }]}`;
  const answer = await app.post("/integrations/transactions", tenant.apiKey, body);
  expect(answer.json.status, answer.text).toBe(1);
  run = answer.json;
});

function show(
  kind: RecordKindName,
  reference: string,
  organizationId = tenant.organizationId,
): Promise<ShownRecord> {
  return showRecord(app.database.work, { organizationId, kind, reference }, findRemovedBy(features));
}

/** @covers R101, R102, R104 */
test("a transaction is shown with its fields, zone, local date, links, metadata and import", async () => {
  const shown = await show("transaction", "T-1");
  const account = await show("account", "A-1");
  const contact = await show("contact", "jo@example.com");
  const vehicle = await show("vehicle", "AB12Ü");
  const subscription = await show("subscription", "S-1");
  expect(shown).toMatchObject({
    uuid: run.results[0]?.uuid,
    transactionId: "T-1",
    locationUuid: tenant.locationUuid,
    type: 4,
    transactionDate: "2026-03-01T03:30:00.000Z",
    sessionStart: "2026-03-01T02:30:00.000Z",
    timeZone: "America/New_York",
    localDate: "2026-02-28",
    bookingSource: 6,
    accountUuid: account["uuid"],
    contactUuid: contact["uuid"],
    vehicleUuid: vehicle["uuid"],
    subscriptionUuid: subscription["uuid"],
    importReferenceUuid: run.referenceUuid,
    promotionAmount: null,
    cardType: null,
  });
  expect(subscription).toMatchObject({ accountUuid: account["uuid"], startDate: "2026-04-01T00:00:00.000Z" });
  expect(contact).toMatchObject({ tpReferenceId: "C-1", importReferenceUuid: run.referenceUuid });
});

/** @covers R101 */
test("metadata and amounts are printed as they were sent", async () => {
  const text = stringifyExactly(await show("transaction", "T-1"));
  expect(text).toContain(`"metadata":${metadata},`);
  expect(text).toContain('"amountTotal":123456789.10,');
  expect(stringifyExactly(await show("subscription", "S-1"))).toContain('"currentRate":99.990,');
  expect(stringifyExactly(await show("account", "A-1"))).toContain(`"metadata":${metadata},`);
});

test("records are found by uuid and reference, contacts also by email and phone, and vehicles by plate", async () => {
  const contact = await show("contact", "+1-555-010-0199");
  expect(await show("contact", contact["uuid"] as string)).toEqual(contact);
  expect(await show("contact", "C-1")).toEqual(contact);
  expect(await show("contact", " JO@EXAMPLE.COM")).toEqual(contact);
  expect(await show("transaction", run.results[0]?.uuid.toUpperCase() ?? "")).toMatchObject({
    transactionId: "T-1",
  });
});

/** @covers R252, R259 */
test("a lead is found by its uuid, and the newest lead by its email", async () => {
  const submit = async (notes: string): Promise<string> => {
    const answer = await app.post("/lead/submit", tenant.apiKey, {
      email: "Ann@example.com",
      locationUuid: tenant.locationUuid,
      notes,
      metadata: { form: 1 },
    });
    return answer.json.leadUuid;
  };
  const first = await submit("first");
  const second = await submit("second");
  expect(await show("lead", first)).toMatchObject({ notes: "first", locationUuid: tenant.locationUuid });
  const newest = await show("lead", "ann@example.com");
  expect(newest).toMatchObject({ uuid: second, notes: "second" });
  expect(stringifyExactly(newest)).toContain('"metadata":{"form":1}');
});

test("records of other organizations, unknown records and unusable text are all reported as not found", async () => {
  const other = await app.tenant();
  const missing = /There is no transaction/;
  await expect(show("transaction", "T-1", other.organizationId)).rejects.toThrow(missing);
  await expect(show("transaction", run.results[0]?.uuid ?? "", other.organizationId)).rejects.toThrow(
    missing,
  );
  await expect(show("transaction", "t-1")).rejects.toThrow(missing);
  await expect(show("transaction", "T-1\u0000")).rejects.toThrow(missing);
  await expect(show("contact", "")).rejects.toThrow(/There is no contact/);
  await expect(show("account", "A-1", "11111111-1111-1111-1111-111111111111")).rejects.toThrow(
    /no organization/,
  );
});

test("every column in the maps exists", async () => {
  for (const kind of recordKindNames) {
    const found = await findRecord(app.database.work, {
      organizationId: tenant.organizationId,
      kind,
      reference: "nothing",
    });
    expect(found, recordKinds[kind].table).toBeUndefined();
  }
});

import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";

const gatehouse = useApp();

/**
 * Imports one transaction for each nested object, and returns the stored row that each was linked to and how
 * it was matched.
 */
async function links(partner: Importer, kind: "contact" | "vehicle", objects: object[]): Promise<string[]> {
  const start = await partner.count("transactions");
  const run = await partner.importTransactions(
    ...objects.map((object, index) => partner.transaction(`${kind}-${start + index}`, { [kind]: object })),
  );
  expect(run.failedCount, JSON.stringify(run.results)).toBe(0);
  const ids = (await partner.rows(`${kind}s`)).map((row) => row["id"] as string);
  const rows = (await partner.rows("transactions")).slice(start);
  return rows.map((row) => `${ids.indexOf(row[`${kind}_id`]) + 1} ${row[`${kind}_via`]}`);
}

/** @covers R116-R119, reading 16 */
test("a contact is matched by email, then by phone; the email wins and nothing is merged", async () => {
  const partner = await importer(gatehouse);
  const made = await links(partner, "contact", [
    { email: "one@example.com", phoneNumber: "+1-5550001" },
    { email: "two@example.com", phoneNumber: "+1-5550002" },
  ]);
  expect(made).toEqual(["1 created", "2 created"]);
  const before = await partner.rows("contacts");
  expect(
    await links(partner, "contact", [
      { email: "one@example.com" },
      { email: "one@example.com", phoneNumber: "+1-5550002" },
      { email: "unknown@example.com", phoneNumber: "+1-5550002" },
      { phoneNumber: "+1-5550001" },
      // The match above did not give the second contact this email address.
      { email: "unknown@example.com" },
    ]),
  ).toEqual(["1 email", "1 email", "2 phone", "1 phone", "3 created"]);
  expect((await partner.rows("contacts")).slice(0, 2)).toEqual(before);
});

/** @covers reading 16 */
test("emails are compared trimmed and in lower case, phones by their digits", async () => {
  const partner = await importer(gatehouse);
  expect(
    await links(partner, "contact", [
      { email: " Jo.Doe@Example.COM " },
      { email: "jo.doe@example.com" },
      { email: "JO.DOE@EXAMPLE.COM\u00a0" },
      { email: "jodoe@example.com" },
      { phoneNumber: "+1 (555) 010-0123" },
      { phoneNumber: "15550100123" },
      { phoneNumber: "1/555.010.0123" },
      { phoneNumber: "5550100123" },
    ]),
  ).toEqual(["1 created", "1 email", "1 email", "2 created", "3 created", "3 phone", "3 phone", "4 created"]);
  expect((await partner.rows("contacts"))[0]?.["email"], "stored as sent").toBe(" Jo.Doe@Example.COM ");
});

/** @covers reading 16 */
test("emails and phones never match each other, and many contacts can lack one of them", async () => {
  const partner = await importer(gatehouse);
  expect(
    await links(partner, "contact", [
      { email: "a@example.com" },
      { email: "b@example.com" },
      { phoneNumber: "5550100" },
      { phoneNumber: "5550101" },
      { email: "5550100@example.com" },
      { email: "c@example.com", phoneNumber: null },
      { email: null, phoneNumber: "5550102" },
    ]),
  ).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => `${number} created`));
});

/** @covers R117 */
test("a contact that is matched by phone is linked although its email is new, also within one batch", async () => {
  const partner = await importer(gatehouse);
  expect(
    await links(partner, "contact", [
      { phoneNumber: "5550100" },
      { email: "new@example.com", phoneNumber: "555-0100" },
      { email: "new@example.com" },
      { email: "new@example.com", phoneNumber: "555-0100" },
    ]),
  ).toEqual(["1 created", "1 phone", "2 created", "2 email"]);
});

/** @covers R123, reading 17 */
test("a vehicle is matched by its plate alone: letters and digits of any script, in upper case", async () => {
  const partner = await importer(gatehouse);
  expect(
    await links(partner, "vehicle", [
      { licensePlate: "ab-c 12.3", state: "NY" },
      { licensePlate: "ABC123", state: "NJ", make: "Other" },
      { licensePlate: "a·b·c·1·2·3" },
      { licensePlate: "ABC124" },
      { licensePlate: "è 1" },
      { licensePlate: "È1" },
      { licensePlate: "E1" },
      { licensePlate: "京A 12345" },
      { licensePlate: "京a12345" },
      { licensePlate: "١٢٣" },
      { licensePlate: "١-٢-٣" },
    ]),
  ).toEqual([
    "1 created",
    "1 plate",
    "1 plate",
    "2 created",
    "3 created",
    "3 plate",
    "4 created",
    "5 created",
    "5 plate",
    "6 created",
    "6 plate",
  ]);
  expect((await partner.rows("vehicles"))[0]).toMatchObject({
    license_plate: "ab-c 12.3",
    state: "NY",
    make: null,
  });
});

/** @covers R151, R152 */
test("a contact needs an email or a phone number", async () => {
  const partner = await importer(gatehouse);
  for (const contact of [
    {},
    { firstName: "Jo" },
    { email: null, phoneNumber: null },
    { email: " ", phoneNumber: "" },
  ]) {
    expect(await partner.outcomeOf({ contact })).toMatchObject({
      reasonCode: 4,
      errorDetail: "contact.email or contact.phoneNumber is required",
    });
  }
  expect(await partner.outcomeOf({ contact: { email: "jo@example.com" } })).toMatchObject({ status: 1 });
  expect(await partner.outcomeOf({ contact: { phoneNumber: "+1-5550100" } })).toMatchObject({ status: 1 });
});

/** @covers R159 */
test("a vehicle needs a plate with a letter or digit in it", async () => {
  const partner = await importer(gatehouse);
  for (const licensePlate of [undefined, null, "", "  "]) {
    expect(await partner.outcomeOf({ vehicle: { licensePlate, state: "NY" } })).toMatchObject({
      reasonCode: 4,
      errorDetail: "vehicle.licensePlate is required",
    });
  }
  for (const licensePlate of ["---", "🚗"]) {
    expect(await partner.outcomeOf({ vehicle: { licensePlate } })).toMatchObject({
      reasonCode: 5,
      errorDetail: "vehicle.licensePlate must contain a letter or a digit",
    });
  }
});

/** @covers R155-R158, R161-R167 */
test("every field of a contact and a vehicle is stored as sent", async () => {
  const partner = await importer(gatehouse);
  const contact = {
    email: "jo@example.com",
    phoneNumber: "+1-5550100",
    firstName: "Jo",
    lastName: "D'Oe \\ \t ü",
    tpReferenceId: "C-1",
    metadata: { vip: true },
  };
  const vehicle = {
    licensePlate: "ABC 123",
    state: "NY",
    year: 2019,
    make: "Make",
    model: "Model",
    color: "red",
    type: "van",
    metadata: { doors: 5 },
  };
  expect(await partner.outcomeOf({ contact, vehicle })).toMatchObject({ status: 1 });
  expect((await partner.rows("contacts"))[0]).toMatchObject({
    email: contact.email,
    phone_number: contact.phoneNumber,
    first_name: contact.firstName,
    last_name: contact.lastName,
    tp_reference_id: contact.tpReferenceId,
    metadata: '{"vip":true}',
  });
  expect((await partner.rows("vehicles"))[0]).toMatchObject({
    license_plate: vehicle.licensePlate,
    state: vehicle.state,
    year: vehicle.year,
    make: vehicle.make,
    model: vehicle.model,
    color: vehicle.color,
    type: vehicle.type,
    metadata: '{"doors":5}',
  });
});

/** @covers R157 */
test("a contact's tpReferenceId is kept for cross-reference and never matched", async () => {
  const partner = await importer(gatehouse);
  expect(
    await links(partner, "contact", [
      { email: "one@example.com", tpReferenceId: "C-1" },
      { email: "two@example.com", tpReferenceId: "C-1" },
    ]),
  ).toEqual(["1 created", "2 created"]);
});

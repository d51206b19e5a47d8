import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer } from "../../../testing/importer.js";

const gatehouse = useApp();

/** @covers R138, R140 */
test("an account needs tpReferenceId and name, on its endpoint and nested", async () => {
  const partner = await importer(gatehouse);
  const complete = { tpReferenceId: "A-1", name: "Acme" };
  for (const field of ["tpReferenceId", "name"]) {
    for (const value of [undefined, null, "", " \t"]) {
      const account = { ...complete, [field]: value };
      expect(await partner.outcome("accounts", account)).toMatchObject({
        status: 4,
        reasonCode: 4,
        errorDetail: `${field} is required`,
      });
      expect(await partner.outcomeOf({ account })).toMatchObject({
        status: 4,
        reasonCode: 4,
        errorDetail: `account.${field} is required`,
      });
    }
  }
  expect(await partner.count("accounts")).toBe(0);
});

/** @covers R143-R145 */
test("type and isActive default to Monthly and true", async () => {
  const partner = await importer(gatehouse);
  const given = [
    {},
    { type: null, isActive: null },
    { type: 1 },
    { type: 2 },
    { type: 3 },
    { isActive: true },
    { isActive: false },
  ];
  const run = await partner.importAccounts(
    ...given.map((fields, index) => ({ tpReferenceId: `A-${index}`, name: "Acme", ...fields })),
  );
  expect(run.status).toBe(1);
  const rows = await partner.rows("accounts");
  expect(rows.map((row) => row["type"])).toEqual([1, 1, 1, 2, 3, 1, 1]);
  expect(rows.map((row) => row["is_active"])).toEqual([true, true, true, true, true, true, false]);
});

/** @covers R141, R142, R146-R150, R183 */
test("every field of an account is stored as sent, on its endpoint and nested", async () => {
  const partner = await importer(gatehouse);
  const fields = {
    name: "Acme \\ Söhne\t& Co",
    accountNumber: "\\N",
    type: 3,
    isActive: false,
    contactName: "Jo",
    contactEmail: "Jo@Example.com",
    contactPhoneNumber: "+1-5550100",
    locationUuid: partner.locationUuid,
    metadata: { tier: "gold" },
  };
  await partner.import("accounts", [{ tpReferenceId: "A-1", ...fields }], { metadata: { file: 1 } });
  await partner.importTransactions(
    partner.transaction("T-1", { account: { tpReferenceId: "A-2", ...fields } }),
  );
  const rows = await partner.rows("accounts");
  expect(rows.map((row) => row["tp_reference_id"])).toEqual(["A-1", "A-2"]);
  for (const row of rows) {
    expect(row).toMatchObject({
      name: fields.name,
      account_number: fields.accountNumber,
      type: 3,
      is_active: false,
      contact_name: fields.contactName,
      contact_email: fields.contactEmail,
      contact_phone_number: fields.contactPhoneNumber,
      location_id: partner.locationUuid,
      metadata: '{"tier":"gold"}',
    });
  }
});

test("an empty text is stored, because it is not the same as an absent one", async () => {
  const partner = await importer(gatehouse);
  await partner.importAccounts({ tpReferenceId: "A-1", name: "Acme", accountNumber: "", contactName: null });
  expect((await partner.rows("accounts"))[0]).toMatchObject({ account_number: "", contact_name: null });
});

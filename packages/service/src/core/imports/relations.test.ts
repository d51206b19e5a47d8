import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";

const gatehouse = useApp();
const unknownUuid = "00000000-0000-4000-8000-000000000000";
const noEntities = { accounts: 0, contacts: 0, vehicles: 0, subscriptions: 0 };

/** An organization with one entity of each kind, and their uuids. */
async function populated(): Promise<{ partner: Importer; uuids: Record<Kind, string> }> {
  const partner = await importer(gatehouse);
  await partner.importTransactions(
    partner.transaction("SEED", {
      account: { tpReferenceId: "A-1", name: "Acme" },
      contact: { email: "jo@example.com", phoneNumber: "+1-5550100" },
      vehicle: { licensePlate: "ABC 123" },
      subscription: { tpReferenceId: "S-1" },
    }),
  );
  const uuidOf = async (table: string) => (await partner.rows(table))[0]?.["id"] as string;
  return {
    partner,
    uuids: {
      account: await uuidOf("accounts"),
      contact: await uuidOf("contacts"),
      vehicle: await uuidOf("vehicles"),
      subscription: await uuidOf("subscriptions"),
    },
  };
}

/** The links of a stored transaction, and how each was resolved. */
async function linksOf(partner: Importer, transactionId: string): Promise<Record<string, unknown>> {
  const row = (await partner.rows("transactions")).find((found) => found["transaction_id"] === transactionId);
  const links = ["account", "contact", "vehicle", "subscription"].flatMap((kind) => [
    [`${kind}`, row?.[`${kind}_id`]],
    [`${kind} via`, row?.[`${kind}_via`]],
  ]);
  return Object.fromEntries(links.filter(([, value]) => value !== null));
}

type Kind = "account" | "contact" | "vehicle" | "subscription";
const kinds: {
  kind: Kind;
  code: number;
  table: string;
  referenceField?: string;
  known: { reference?: string; nested: object };
  fresh: object;
}[] = [
  {
    kind: "account",
    code: 6,
    table: "accounts",
    referenceField: "accountTPReferenceId",
    known: { reference: "A-1", nested: { tpReferenceId: "A-1", name: "Another name" } },
    fresh: { tpReferenceId: "A-2", name: "Beta" },
  },
  {
    kind: "contact",
    code: 8,
    table: "contacts",
    known: { nested: { email: "jo@example.com", firstName: "Another" } },
    fresh: { email: "new@example.com" },
  },
  {
    kind: "vehicle",
    code: 9,
    table: "vehicles",
    known: { nested: { licensePlate: "ABC 123", color: "another" } },
    fresh: { licensePlate: "NEW 1" },
  },
  {
    kind: "subscription",
    code: 7,
    table: "subscriptions",
    referenceField: "subscriptionTPReferenceId",
    known: { reference: "S-1", nested: { tpReferenceId: "S-1", permitNumber: "another" } },
    fresh: { tpReferenceId: "S-2", accountTPReferenceId: "A-1" },
  },
];

for (const { kind, code, table, referenceField, known, fresh } of kinds) {
  /** @covers R105, R113, R120, R124 */
  test(`${kind}Uuid links an existing ${kind}, in any case, and creates nothing`, async () => {
    const { partner, uuids } = await populated();
    const run = await partner.importTransactions(
      partner.transaction("T-1", { [`${kind}Uuid`]: uuids[kind] }),
      partner.transaction("T-2", { [`${kind}Uuid`]: uuids[kind].toUpperCase() }),
    );
    expect(run).toMatchObject({ status: 1, createdEntities: noEntities });
    for (const id of ["T-1", "T-2"]) {
      expect(await linksOf(partner, id)).toEqual({ [kind]: uuids[kind], [`${kind} via`]: "uuid" });
    }
    expect(await partner.count(table)).toBe(1);
  });

  /** @covers R106, reading 8 */
  test(`a null ${kind}Uuid counts as absent`, async () => {
    const { partner } = await populated();
    expect(await partner.outcomeOf({ [`${kind}Uuid`]: null })).toMatchObject({ status: 1 });
    const run = await partner.importTransactions(
      partner.transaction("T-1", { [`${kind}Uuid`]: null, [kind]: known.nested }),
    );
    expect(run.results[0]?.status).toBe(1);
    expect(Object.keys(await linksOf(partner, "T-1"))).toEqual([kind, `${kind} via`]);
  });

  /** @covers R107, R114, R121, R125, R131, reading 8 */
  test(`an unknown ${kind}Uuid is Failed ${code}, even if another field names an existing one`, async () => {
    const { partner } = await populated();
    const ways = {
      ...(referenceField ? { [referenceField]: known.reference } : {}),
      [kind]: known.nested,
    };
    for (const uuid of [unknownUuid, "no uuid", "", " ", "a\u0000b", "\ud800", "x".repeat(500)]) {
      for (const others of [{}, ways]) {
        expect(await partner.outcomeOf({ ...others, [`${kind}Uuid`]: uuid }), uuid).toMatchObject({
          status: 4,
          reasonCode: code,
          errorDetail: expect.stringContaining(`${kind}Uuid does not name`),
        });
      }
    }
    expect(await partner.outcomeOf({ [`${kind}Uuid`]: 7 })).toMatchObject({
      reasonCode: 5,
      errorDetail: `${kind}Uuid must be a string`,
    });
    expect(await partner.count("transactions")).toBe(1);
  });

  /** @covers R131 */
  test(`${kind}Uuid takes precedence over the reference and the nested object, and nothing is created`, async () => {
    const { partner, uuids } = await populated();
    const run = await partner.importTransactions(
      partner.transaction("T-1", {
        [`${kind}Uuid`]: uuids[kind],
        ...(referenceField ? { [referenceField]: "unknown" } : {}),
        [kind]: fresh,
      }),
    );
    expect(run.createdEntities).toEqual(noEntities);
    expect(await linksOf(partner, "T-1")).toEqual({ [kind]: uuids[kind], [`${kind} via`]: "uuid" });
  });

  /** @covers R111, R115, R122, R128 */
  test(`a nested ${kind} that is new is created, linked and counted`, async () => {
    const { partner } = await populated();
    const run = await partner.importTransactions(partner.transaction("T-1", { [kind]: fresh }));
    expect(run.createdEntities).toEqual({ ...noEntities, [table]: 1 });
    const made = (await partner.rows(table))[1];
    expect(await linksOf(partner, "T-1")).toEqual({ [kind]: made?.["id"], [`${kind} via`]: "created" });
    expect(made).toMatchObject({ import_run_id: run.referenceUuid, position: 0 });
  });

  /** @covers R112, R116, R123, R130, reading 12 */
  test(`a nested ${kind} that matches is linked and validated, but not modified or counted`, async () => {
    const { partner, uuids } = await populated();
    const before = await partner.rows(table);
    const run = await partner.importTransactions(partner.transaction("T-1", { [kind]: known.nested }));
    expect(run.createdEntities).toEqual(noEntities);
    expect((await linksOf(partner, "T-1"))[kind]).toBe(uuids[kind]);
    expect(await partner.rows(table)).toEqual(before);
    expect(await partner.outcomeOf({ [kind]: { ...known.nested, metadata: "none" } })).toMatchObject({
      reasonCode: 5,
      errorDetail: `${kind}.metadata must be an object`,
    });
    expect(await partner.outcomeOf({ [kind]: {} })).toMatchObject({ status: 4, reasonCode: 4 });
    expect(await partner.outcomeOf({ [kind]: [] })).toMatchObject({
      reasonCode: 5,
      errorDetail: `${kind} must be an object`,
    });
  });

  /** @covers R135 */
  test(`another organization's ${kind} gets byte for byte the answer for an unknown one, and is never matched`, async () => {
    const { uuids } = await populated();
    const stranger = await importer(gatehouse);
    const refusal = async (uuid: string) => {
      const answer = await stranger.post("transactions", {
        transactions: [stranger.transaction("T-1", { [`${kind}Uuid`]: uuid })],
      });
      return JSON.stringify(answer.json.results);
    };
    expect(await refusal(uuids[kind])).toBe(await refusal(unknownUuid));
    const run = await stranger.importTransactions(
      stranger.transaction("T-1", {
        account: { tpReferenceId: "A-1", name: "Acme" },
        [kind]: kind === "subscription" ? { tpReferenceId: "S-1" } : known.nested,
      }),
    );
    expect(run.createdEntities).toMatchObject({ [table]: 1 });
  });
}

for (const { kind, code, table, referenceField, known, fresh } of kinds.filter(
  (each) => each.referenceField,
)) {
  const field = referenceField as string;

  /** @covers R108, R126, R132 */
  test(`${field} links an existing entity and takes precedence over the nested object`, async () => {
    const { partner, uuids } = await populated();
    const run = await partner.importTransactions(
      partner.transaction("T-1", { [field]: known.reference }),
      partner.transaction("T-2", { [field]: known.reference, [kind]: fresh }),
    );
    expect(run.createdEntities).toEqual(noEntities);
    for (const id of ["T-1", "T-2"]) {
      expect(await linksOf(partner, id)).toEqual({ [kind]: uuids[kind], [`${kind} via`]: "reference" });
    }
    expect(await partner.count(table)).toBe(1);
  });

  /** @covers R109, R127, reading 9 */
  test(`an unknown ${field} is Failed ${code} and creates nothing`, async () => {
    const { partner } = await populated();
    for (const reference of ["unknown", "a-1", " S-1", "", "  "]) {
      expect(await partner.outcomeOf({ [field]: reference }), reference).toMatchObject({
        status: 4,
        reasonCode: code,
        errorDetail: expect.stringContaining(`${field} does not name`),
      });
    }
    expect(await partner.outcomeOf({ [field]: null }), "null counts as absent").toMatchObject({ status: 1 });
    expect(await partner.count(table)).toBe(1);
  });

  /** @covers reading 9 */
  test(`after an unknown ${field}, a nested ${kind} is used`, async () => {
    const { partner, uuids } = await populated();
    const run = await partner.importTransactions(
      partner.transaction("T-1", { [field]: "unknown", [kind]: known.nested }),
      partner.transaction("T-2", { [field]: "unknown", [kind]: fresh }),
    );
    expect(run.createdEntities).toEqual({ ...noEntities, [table]: 1 });
    expect((await linksOf(partner, "T-1"))[kind]).toBe(uuids[kind]);
    expect((await linksOf(partner, "T-2"))[`${kind} via`]).toBe("created");
  });
}

/** @covers R133, R134 */
test("different ways to name an entity can be mixed within a batch and within a record", async () => {
  const { partner, uuids } = await populated();
  const run = await partner.importTransactions(
    partner.transaction("T-1", {
      accountUuid: uuids.account,
      contact: { email: "new@example.com" },
      vehicleUuid: uuids.vehicle,
      subscriptionTPReferenceId: "S-1",
    }),
    partner.transaction("T-2", {
      accountTPReferenceId: "A-1",
      contactUuid: uuids.contact,
      vehicle: { licensePlate: "NEW 1" },
      subscription: { tpReferenceId: "S-2" },
    }),
    partner.transaction("T-3", {
      account: { tpReferenceId: "A-3", name: "Gamma" },
      subscriptionUuid: uuids.subscription,
    }),
    partner.transaction("T-4"),
  );
  expect(run.createdEntities).toEqual({ accounts: 1, contacts: 1, vehicles: 1, subscriptions: 1 });
  expect(await linksOf(partner, "T-1")).toMatchObject({
    "account via": "uuid",
    "contact via": "created",
    "vehicle via": "uuid",
    "subscription via": "reference",
  });
  expect(await linksOf(partner, "T-2")).toMatchObject({
    account: uuids.account,
    "account via": "reference",
    "contact via": "uuid",
    "vehicle via": "created",
    "subscription via": "created",
  });
  expect(await linksOf(partner, "T-3")).toMatchObject({
    "account via": "created",
    "subscription via": "uuid",
  });
  expect(await linksOf(partner, "T-4")).toEqual({});
});

/** @covers R136, reading 14 */
test("entities that an earlier record of the batch created are found by reference, email, phone and plate", async () => {
  const partner = await importer(gatehouse);
  const run = await partner.importTransactions(
    partner.transaction("T-1", {
      account: { tpReferenceId: "A-1", name: "Acme" },
      contact: { email: "jo@example.com", phoneNumber: "+1 555 0100" },
      vehicle: { licensePlate: "ABC 123" },
      subscription: { tpReferenceId: "S-1" },
    }),
    partner.transaction("T-2", { accountTPReferenceId: "A-1", subscriptionTPReferenceId: "S-1" }),
    partner.transaction("T-3", {
      account: { tpReferenceId: "A-1", name: "Other" },
      contact: { email: "JO@example.com" },
      vehicle: { licensePlate: "abc-123" },
      subscription: { tpReferenceId: "S-1" },
    }),
    partner.transaction("T-4", { contact: { email: "other@example.com", phoneNumber: "15550100" } }),
    partner.transaction("T-5", { subscription: { tpReferenceId: "S-2", accountTPReferenceId: "A-1" } }),
  );
  expect(run).toMatchObject({
    status: 1,
    createdEntities: { accounts: 1, contacts: 1, vehicles: 1, subscriptions: 2 },
  });
  const [first, second, third, fourth, fifth] = await Promise.all(
    ["T-1", "T-2", "T-3", "T-4", "T-5"].map((id) => linksOf(partner, id)),
  );
  expect(second).toMatchObject({ account: first?.["account"], subscription: first?.["subscription"] });
  expect(third).toEqual({
    account: first?.["account"],
    "account via": "reference",
    contact: first?.["contact"],
    "contact via": "email",
    vehicle: first?.["vehicle"],
    "vehicle via": "plate",
    subscription: first?.["subscription"],
    "subscription via": "reference",
  });
  expect(fourth).toEqual({ contact: first?.["contact"], "contact via": "phone" });
  expect(fifth?.["subscription via"]).toBe("created");
});

/** @covers R71, reading 13 */
test("a Failed record leaves nothing that is stored, counted or visible to later records", async () => {
  const partner = await importer(gatehouse);
  const nested = {
    account: { tpReferenceId: "A-1", name: "Acme" },
    contact: { email: "jo@example.com" },
    vehicle: { licensePlate: "ABC 123" },
    subscription: { tpReferenceId: "S-1" },
  };
  const run = await partner.importTransactions(
    partner.transaction("T-1", { ...nested, type: 9 }),
    partner.transaction("T-2", { ...nested, locationUuid: unknownUuid }),
    partner.transaction("T-3", { ...nested, contactUuid: unknownUuid }),
    partner.transaction("T-4", { accountTPReferenceId: "A-1" }),
    partner.transaction("T-5", { subscriptionTPReferenceId: "S-1" }),
  );
  expect(run.results.map((result) => result.reasonCode)).toEqual([5, 2, 8, 6, 7]);
  expect(run.createdEntities).toEqual(noEntities);
  for (const table of ["transactions", "accounts", "contacts", "vehicles", "subscriptions"]) {
    expect(await partner.count(table), table).toBe(0);
  }
});

/** @covers R82, R83, R149, R171, reading 7 */
test("a locationUuid that does not belong to the organization is Failed 2, at the top and nested", async () => {
  const { partner } = await populated();
  const stranger = await importer(gatehouse);
  const places: [string, (locationUuid: unknown) => object][] = [
    ["locationUuid", (locationUuid) => ({ locationUuid })],
    [
      "account.locationUuid",
      (locationUuid) => ({ account: { tpReferenceId: "A-9", name: "N", locationUuid } }),
    ],
    [
      "account.locationUuid",
      (locationUuid) => ({ account: { tpReferenceId: "A-1", name: "N", locationUuid } }),
    ],
    [
      "subscription.locationUuid",
      (locationUuid) => ({
        accountTPReferenceId: "A-1",
        subscription: { tpReferenceId: "S-9", locationUuid },
      }),
    ],
  ];
  for (const [path, fields] of places) {
    for (const uuid of [unknownUuid, stranger.locationUuid, "garage 7", "a\u0000b"]) {
      expect(await partner.outcomeOf(fields(uuid)), `${path} ${uuid}`).toMatchObject({
        reasonCode: 2,
        errorDetail: `${path} is not a location of the organization`,
      });
    }
    expect(await partner.outcomeOf(fields(7))).toMatchObject({
      reasonCode: 5,
      errorDetail: `${path} must be a string`,
    });
    expect(await partner.outcomeOf(fields(partner.locationUuid.toUpperCase()))).toMatchObject({ status: 1 });
  }
  const rows = await partner.rows("transactions");
  expect(new Set(rows.map((row) => row["location_id"]))).toEqual(new Set([partner.locationUuid]));
  expect((await partner.rows("accounts")).at(-1)).toMatchObject({ location_id: partner.locationUuid });
  expect((await partner.rows("subscriptions")).at(-1)).toMatchObject({ location_id: partner.locationUuid });
});

/** @covers reading 7 */
test("accounts and subscriptions on their own endpoints are Failed 2 by the same rule", async () => {
  const { partner } = await populated();
  const stranger = await importer(gatehouse);
  for (const locationUuid of [unknownUuid, stranger.locationUuid, "garage 7", ""]) {
    const account = { tpReferenceId: "A-9", name: "N", locationUuid };
    const subscription = { tpReferenceId: "S-9", accountTPReferenceId: "A-1", locationUuid };
    expect(await partner.outcome("accounts", account)).toMatchObject({ reasonCode: 2 });
    expect(await partner.outcome("subscriptions", subscription)).toMatchObject({ reasonCode: 2 });
  }
  expect(
    await partner.outcome("accounts", { tpReferenceId: "A-9", name: "N", locationUuid: null }),
  ).toMatchObject({ status: 1 });
});

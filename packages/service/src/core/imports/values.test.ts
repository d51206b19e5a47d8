import { expect, test } from "vitest";
import type { ImportResourceName, RecordResult } from "@gatehouse-parking/contract";
import { useApp } from "../../../testing/harness.js";
import { importer, uniqueReference, type Importer } from "../../../testing/importer.js";

const gatehouse = useApp();

/** The places where an object of a kind can appear: at the top of its endpoint, or nested in a transaction. */
interface Place {
  resource: ImportResourceName;
  path: string;
  record(partner: Importer, fields: object): object;
}

const nestedIn = (kind: string, shortest: () => object): Place => ({
  resource: "transactions",
  path: `${kind}.`,
  record: (partner, fields) =>
    partner.transaction(uniqueReference(), { [kind]: { ...shortest(), ...fields } }),
});
const places = {
  transaction: [
    {
      resource: "transactions",
      path: "",
      record: (partner, fields) => ({ ...partner.transaction(uniqueReference()), ...fields }),
    },
  ],
  account: [
    {
      resource: "accounts",
      path: "",
      record: (_, fields) => ({ tpReferenceId: uniqueReference(), name: "Acme", ...fields }),
    },
    nestedIn("account", () => ({ tpReferenceId: uniqueReference(), name: "Acme" })),
  ],
  contact: [nestedIn("contact", () => ({ email: `${uniqueReference()}@example.com` }))],
  vehicle: [nestedIn("vehicle", () => ({ licensePlate: uniqueReference() }))],
  subscription: [
    {
      resource: "subscriptions",
      path: "",
      record: (_, fields) => ({ tpReferenceId: uniqueReference(), accountTPReferenceId: "OWNER", ...fields }),
    },
    nestedIn("subscription", () => ({ tpReferenceId: uniqueReference(), accountTPReferenceId: "OWNER" })),
  ],
} satisfies Record<string, Place[]>;
type Kind = keyof typeof places;

/** The outcome of a record for each value of the field. A batch of accounts has the lowest limit. */
async function outcomes(
  partner: Importer,
  place: Place,
  field: string,
  values: readonly unknown[],
): Promise<RecordResult[]> {
  const records = values.map((value) => place.record(partner, { [field]: value }));
  return (await partner.import(place.resource, records)).results;
}

async function expectAccepted(
  partner: Importer,
  kind: Kind,
  field: string,
  values: unknown[],
): Promise<void> {
  for (const place of places[kind]) {
    const results = await outcomes(partner, place, field, values);
    for (const [index, result] of results.entries()) {
      expect(result, `${place.path}${field} ${String(values[index])}`).toMatchObject({ status: 1 });
    }
  }
}

async function expectRefused(
  partner: Importer,
  kind: Kind,
  field: string,
  values: unknown[],
  expected: { code: number; must: string },
): Promise<void> {
  for (const place of places[kind]) {
    const results = await outcomes(partner, place, field, values);
    for (const [index, result] of results.entries()) {
      expect(result, `${place.path}${field} ${String(values[index])}`).toMatchObject({
        status: 4,
        reasonCode: expected.code,
        errorDetail: `${place.path}${field} ${expected.must}`,
      });
    }
  }
}

const plain = (length: number) => "x".repeat(length);
const emoji = (length: number) => "😀".repeat(length);
const email = (length: number) => `${"a".repeat(length - 12)}@example.com`;
const phone = (length: number) => `${"1".repeat(15)}${"-".repeat(length - 15)}`;
const plate = (length: number) => `A${"😀".repeat(length - 1)}`;

const texts: [Kind, string, number, ((length: number) => string)[]][] = [
  ["transaction", "transactionId", 128, [plain, emoji]],
  ["transaction", "cardType", 64, [plain, emoji]],
  ["transaction", "promoCode", 64, [plain, emoji]],
  ["transaction", "accountTPReferenceId", 128, [plain, emoji]],
  ["transaction", "subscriptionTPReferenceId", 128, [plain, emoji]],
  ["account", "tpReferenceId", 128, [plain, emoji]],
  ["account", "name", 256, [plain, emoji]],
  ["account", "accountNumber", 128, [plain, emoji]],
  ["account", "contactName", 256, [plain, emoji]],
  ["account", "contactEmail", 320, [email]],
  ["account", "contactPhoneNumber", 32, [phone]],
  ["contact", "email", 320, [email]],
  ["contact", "phoneNumber", 32, [phone]],
  ["contact", "firstName", 128, [plain, emoji]],
  ["contact", "lastName", 128, [plain, emoji]],
  ["contact", "tpReferenceId", 128, [plain, emoji]],
  ["vehicle", "licensePlate", 32, [plain, plate]],
  ["vehicle", "state", 8, [plain, emoji]],
  ["vehicle", "make", 64, [plain, emoji]],
  ["vehicle", "model", 64, [plain, emoji]],
  ["vehicle", "color", 32, [plain, emoji]],
  ["vehicle", "type", 32, [plain, emoji]],
  ["subscription", "tpReferenceId", 128, [plain, emoji]],
  ["subscription", "accountTPReferenceId", 128, [plain, emoji]],
  ["subscription", "permitNumber", 64, [plain, emoji]],
  ["subscription", "permitType", 64, [plain, emoji]],
  ["subscription", "permitClassification", 64, [plain, emoji]],
];

/** A partner whose accounts and subscriptions have the longest possible references. */
async function established(): Promise<Importer> {
  const partner = await importer(gatehouse);
  const references = ["OWNER", plain(128), emoji(128)];
  await partner.importAccounts(...references.map((tpReferenceId) => ({ tpReferenceId, name: "Owner" })));
  await partner.importSubscriptions(
    ...references.map((tpReferenceId) => ({ tpReferenceId, accountTPReferenceId: "OWNER" })),
  );
  return partner;
}

for (const [kind, field, maximum, fills] of texts) {
  /** @covers R76, R80, R94, R95, R110, R127, R139, R141, R142, R146-R148, R153-R157, R160, R161, R163-R166, R169, R170, R172, R175, R176, reading 26 */
  test(`${kind}.${field} accepts at most ${maximum} characters, counted as code points`, async () => {
    const partner = await established();
    // The longest references already exist, so a record with such a key is Skipped.
    const isStored = (place: Place) => place.resource !== "transactions" && field === "tpReferenceId";
    for (const place of places[kind]) {
      for (const fill of fills) {
        const [longest, longer] = await outcomes(partner, place, field, [fill(maximum), fill(maximum + 1)]);
        expect(longest?.status, `${place.path}${field}`).toBe(isStored(place) ? 3 : 1);
        expect(longer).toMatchObject({
          status: 4,
          reasonCode: 5,
          errorDetail: `${place.path}${field} must have at most ${maximum} characters`,
        });
      }
    }
  });

  /** @covers reading 4, reading 27 */
  test(`${kind}.${field} rejects numbers, booleans, lists, objects, U+0000 and unpaired surrogates`, async () => {
    const partner = await established();
    await expectRefused(partner, kind, field, [7, true, false, [], {}, ["x"]], {
      code: 5,
      must: "must be a string",
    });
    await expectRefused(partner, kind, field, ["a\u0000", "\ud800", "x\udc00y"], {
      code: 5,
      must: "must not contain U+0000 or half of a surrogate pair",
    });
  });
}

const requiredOfTransaction = ["transactionId", "locationUuid", "type", "transactionDate"];
/** @covers R79, R81, R84, R87, reading 4 */
test("a required field of a transaction that is missing, null or blank is Failed 4", async () => {
  const partner = await importer(gatehouse);
  for (const field of requiredOfTransaction) {
    const blanks = field === "type" ? [undefined, null, "", " "] : [undefined, null, "", " ", "\t\n"];
    await expectRefused(partner, "transaction", field, blanks, { code: 4, must: "is required" });
  }
});

/** @covers R89, reading 23 */
test("null in an optional field counts as absent", async () => {
  const partner = await established();
  const optional: Record<Exclude<Kind, "contact">, string[]> = {
    transaction:
      "cardType isRefunded promoApplied promoCode sessionStart sessionEnd scheduledArrival scheduledExit bookingSource metadata accountUuid accountTPReferenceId account contactUuid contact vehicleUuid vehicle subscriptionUuid subscriptionTPReferenceId subscription promotionAmount".split(
        " ",
      ),
    account:
      "accountNumber type isActive contactName contactEmail contactPhoneNumber locationUuid metadata".split(
        " ",
      ),
    vehicle: "state year make model color type metadata".split(" "),
    subscription:
      "accountUuid locationUuid permitNumber status permitType permitClassification numberOfSpaces startDate endDate metadata".split(
        " ",
      ),
  };
  for (const [kind, fields] of Object.entries(optional)) {
    for (const place of places[kind as Kind]) {
      const records = fields.map((field) => place.record(partner, { [field]: null }));
      const run = await partner.import(place.resource, records);
      expect(run.failedCount, JSON.stringify(run.results)).toBe(0);
    }
  }
  const contact = { firstName: null, lastName: null, tpReferenceId: null, metadata: null, phoneNumber: null };
  expect(await partner.outcomeOf({ contact: { email: "jo@example.com", ...contact } })).toMatchObject({
    status: 1,
  });
});

const enums: [Kind, string, number][] = [
  ["transaction", "type", 4],
  ["transaction", "bookingSource", 6],
  ["account", "type", 3],
  ["subscription", "status", 5],
];
for (const [kind, field, last] of enums) {
  /** @covers R85, R86, R98, R143, R173, reading 25 */
  test(`${kind}.${field} accepts only the integers 1 to ${last}`, async () => {
    const partner = await established();
    const allowed = Array.from({ length: last }, (_, index) => index + 1);
    await expectAccepted(partner, kind, field, allowed);
    await expectRefused(partner, kind, field, [0, last + 1, -1, "1", 1.5, true, [1], {}, 1e300], {
      code: 5,
      must: `must be one of ${allowed.join(", ")}`,
    });
  });
}

/** @covers R99 */
test("bookingSource defaults to 6", async () => {
  const partner = await importer(gatehouse);
  await partner.importTransactions(
    partner.transaction("T-1"),
    partner.transaction("T-2", { bookingSource: null }),
    partner.transaction("T-3", { bookingSource: 2 }),
  );
  expect((await partner.rows("transactions")).map((row) => row["booking_source"])).toEqual([6, 6, 2]);
});

/** @covers R177, R178 */
test("numberOfSpaces is an integer from 1 to 1000", async () => {
  const partner = await established();
  await expectAccepted(partner, "subscription", "numberOfSpaces", [1, 1000, 500]);
  await expectRefused(partner, "subscription", "numberOfSpaces", [0, 1001, -1, 1.5, "1", true, [], {}], {
    code: 5,
    must: "must be a whole number from 1 to 1000",
  });
});

/** @covers R162 */
test("a vehicle's year is an integer", async () => {
  const partner = await importer(gatehouse);
  await expectAccepted(partner, "vehicle", "year", [2019, 0, -1, 2147483647, -2147483648]);
  await expectRefused(partner, "vehicle", "year", [2019.5, "2019", true, 2147483648, 1e300], {
    code: 5,
    must: "must be a whole number from -2147483648 to 2147483647",
  });
});

/** @covers R96, R145 */
test("flags are true or false, and stored as sent", async () => {
  const partner = await importer(gatehouse);
  for (const [kind, field] of [
    ["transaction", "isRefunded"],
    ["transaction", "promoApplied"],
    ["account", "isActive"],
  ] as const) {
    await expectAccepted(partner, kind, field, [true, false]);
    await expectRefused(partner, kind, field, [0, 1, "true", "", [], {}], {
      code: 5,
      must: "must be true or false",
    });
  }
  await partner.importTransactions(
    partner.transaction("T-1", { isRefunded: true, promoApplied: false, cardType: "VISA", promoCode: "" }),
    partner.transaction("T-2"),
  );
  const rows = await partner.rows("transactions");
  expect(rows.find((row) => row["transaction_id"] === "T-1")).toMatchObject({
    is_refunded: true,
    promo_applied: false,
    card_type: "VISA",
    promo_code: "",
  });
  expect(rows.find((row) => row["transaction_id"] === "T-2")).toMatchObject({
    is_refunded: null,
    promo_applied: null,
    card_type: null,
    promo_code: null,
  });
});

/** @covers reading 29 */
test("email addresses have the standard format", async () => {
  const partner = await importer(gatehouse);
  const good = [
    "jo@example.com",
    "jo.doe+tag@sub.example.co.uk",
    "o'neil@example.com",
    "jürgen@müller.de",
    "1@2.org",
  ];
  const bad = [
    "jo",
    "jo@",
    "@example.com",
    "jo@example",
    "a@b@example.com",
    "j o@example.com",
    "",
    "jo@exam ple.com",
  ];
  for (const [kind, field] of [
    ["contact", "email"],
    ["account", "contactEmail"],
  ] as const) {
    await expectAccepted(partner, kind, field, good);
    await expectRefused(partner, kind, field, field === "email" ? bad.filter(Boolean) : bad, {
      code: 5,
      must: "must be an email address",
    });
  }
  expect(await partner.outcomeOf({ contact: { email: "", phoneNumber: "5550100" } })).toMatchObject({
    reasonCode: 5,
    errorDetail: "contact.email must be an email address",
  });
});

/** @covers R14, reading 30 */
test("phone numbers have 5 to 15 digits, the usual separators, and an optional leading +", async () => {
  const partner = await importer(gatehouse);
  const good = [
    "+1-5550100",
    "+15550100",
    "12345",
    "123456789012345",
    "(555) 010-0100",
    "555.010/0100",
    "+49 (0) 30/12-34",
  ];
  const bad = [
    "1234",
    "1234567890123456",
    "555x0100",
    "1+5550100",
    "++15550100",
    "phone",
    "+",
    "٥٥٥٠١٠٠",
    "555\u20110100",
  ];
  for (const [kind, field] of [
    ["contact", "phoneNumber"],
    ["account", "contactPhoneNumber"],
  ] as const) {
    await expectAccepted(partner, kind, field, good);
    await expectRefused(partner, kind, field, bad, {
      code: 5,
      must: "must be a phone number of 5 to 15 digits, such as +1-5550100",
    });
  }
});

/** @covers reading 32 */
test("unusual combinations are accepted: an end before the start, a promotion without a code, future dates, an inactive location", async () => {
  const partner = await importer(gatehouse, { location: { isActive: false } });
  const run = await partner.importTransactions(
    partner.transaction("T-1", { sessionStart: "2026-04-02T00:00:00Z", sessionEnd: "2026-04-01T00:00:00Z" }),
    partner.transaction("T-2", { promoApplied: true, promotionAmount: null }),
    partner.transaction("T-3", { transactionDate: "2999-01-01T00:00:00Z" }),
    partner.transaction("T-4", {
      account: { tpReferenceId: "A-1", name: "Acme", isActive: false },
      subscription: { tpReferenceId: "S-1", startDate: "2026-04-02", endDate: "2026-04-01" },
    }),
  );
  expect(run).toMatchObject({ status: 1, successCount: 4 });
});

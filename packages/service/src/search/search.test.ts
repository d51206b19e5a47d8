import { beforeAll, expect, test } from "vitest";
import { signedIn, type Visitor } from "../../testing/console.js";
import { useApp } from "../../testing/harness.js";
import { sampleOrganization, type SampleOrganization } from "../../testing/sample-organization.js";

const gatehouse = useApp();
let organization: SampleOrganization;
let viewer: Visitor;

beforeAll(async () => {
  organization = await sampleOrganization(gatehouse);
  viewer = await signedIn(gatehouse, "viewer", organization.organizationId);
});

const search = async (text: string) => {
  const { organizationId } = organization;
  return (await viewer.get(`/organizations/${organizationId}/search?q=${encodeURIComponent(text)}`)).json;
};

test("a transactionId shows its whole life: created where, skipped where, failed where and why, links, metadata", async () => {
  const { apiKey, locationUuid, runUuid } = organization;
  const again = { transactionId: "T-1", locationUuid, type: 2, transactionDate: "2026-04-01T14:30:00.000Z" };
  const replay = await gatehouse.post("/integrations/transactions", apiKey, { transactions: [again] });
  const { hits, unstored } = await search("T-1");
  expect(hits).toHaveLength(1);
  expect(hits[0]).toMatchObject({
    kind: "transactions",
    matchedBy: "transactionId",
    record: {
      reference: "T-1",
      fields: { transactionId: "T-1", amountTotal: "12.5", transactionDate: "2026-04-01T14:30:00.000Z" },
      metadata: '{"lane":4}',
      createdIn: { referenceUuid: runUuid, position: 0 },
      local: {
        timeZone: "America/New_York",
        localDate: "2026-04-01",
        localTime: "10:30:00",
        utcOffset: "-04:00",
      },
      occurrences: [
        {
          referenceUuid: replay.json.referenceUuid,
          status: 3,
          reasonCode: 1,
          reasonName: "DuplicateTransactionId",
          hasDifferences: true,
        },
      ],
    },
  });
  const { links } = hits[0].record;
  expect(
    links.map((link: Record<string, unknown>) => [link["kind"], link["reference"], link["via"]]),
  ).toEqual([
    ["locations", "", undefined],
    ["accounts", "A-1", "created"],
    ["contacts", "Jo@Example.com", "created"],
    ["vehicles", "abc 1234", "created"],
    ["subscriptions", "S-1", "created"],
  ]);
  expect(unstored).toEqual([]);
});

test("a reference that never was stored shows the batches in which it failed, and why", async () => {
  const { hits, unstored } = await search("T-2");
  expect(hits).toEqual([]);
  expect(unstored).toMatchObject([
    { referenceUuid: organization.runUuid, position: 1, resource: 1, status: 4, reasonCode: 5 },
  ]);
  expect(unstored[0].errorDetail).toContain("type");
});

test("a reference that is stored as an account and failed as a subscription shows both", async () => {
  await gatehouse.post("/integrations/subscriptions", organization.apiKey, {
    subscriptions: [{ tpReferenceId: "A-1", accountTPReferenceId: "none" }],
  });
  const { hits, unstored } = await search("A-1");
  expect(hits).toMatchObject([{ kind: "accounts", record: { occurrences: [] } }]);
  expect(unstored).toMatchObject([{ resource: 3, reasonCode: 6 }]);
});

test.each([
  ["an account's tpReferenceId", "A-1", "accounts", "tpReferenceId"],
  ["a subscription's tpReferenceId", "S-1", "subscriptions", "tpReferenceId"],
  ["a contact's tpReferenceId", "C-1", "contacts", "tpReferenceId"],
  ["an e-mail in another case", " jo@EXAMPLE.com ", "contacts", "email"],
  ["a phone number with other separators", "+1 (555) 010.0123", "contacts", "phone"],
  ["a plate as someone would type it", "ABC-1234", "vehicles", "plate"],
  ["a lead's e-mail", "lead@example.com", "leads", "email"],
  ["a location's name", "main garage", "locations", "name"],
])("%s is found", async (_what, text, kind, matchedBy) => {
  const { hits } = await search(text);
  expect(hits).toMatchObject([{ kind, matchedBy }]);
});

test("any uuid is found, in any case: record, run, lead, location, key", async () => {
  const { transactionUuid, accountUuid, runUuid, leadUuid, locationUuid, keyId } = organization;
  for (const [uuid, kind] of [
    [transactionUuid, "transactions"],
    [accountUuid, "accounts"],
    [runUuid, "runs"],
    [leadUuid, "leads"],
    [locationUuid, "locations"],
    [keyId, "api-keys"],
  ] as const) {
    const { hits } = await search(uuid.toUpperCase());
    expect(hits, kind).toMatchObject([{ kind }]);
    if (kind === "runs" || kind === "leads")
      expect(hits[0].subtitle).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  }
});

test("what links to a record is listed with it", async () => {
  const { hits } = await search("A-1");
  const groups = hits[0].record.linkedFrom;
  expect(groups.map((group: { kind: string; data: object[] }) => [group.kind, group.data.length])).toEqual([
    ["subscriptions", 1],
    ["transactions", 1],
  ]);
});

test.each(["", "   ", "nothing of the kind", "%", "\u0000", "'; drop table transactions"])(
  "%j finds nothing and breaks nothing",
  async (text) => {
    expect(await search(text)).toMatchObject({ hits: [], unstored: [], truncated: false });
  },
);

test("many leads of one address are bounded", async () => {
  const { apiKey, locationUuid } = organization;
  for (let count = 0; count < 12; count += 1)
    await gatehouse.post("/lead/submit", apiKey, { email: "often@example.com", locationUuid });
  expect((await search("often@example.com")).hits).toHaveLength(10);
});

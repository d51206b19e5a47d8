import { beforeAll, expect, test } from "vitest";
import { signedIn, type Visitor } from "../../../testing/console.js";
import { useApp } from "../../../testing/harness.js";
import { rowsReadBy } from "../../../testing/rows-read.js";
import { sampleOrganization, type SampleOrganization } from "../../../testing/sample-organization.js";

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

test("a transactionId shows its whole history: where it was created, skipped and failed, with reasons, links and metadata", async () => {
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

test("the search leaves long metadata to the page of the record", async () => {
  const { apiKey, locationUuid } = organization;
  const metadata = { text: "x".repeat(100_000) };
  const transaction = {
    transactionId: "LONG",
    locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
  };
  await gatehouse.post("/integrations/transactions", apiKey, {
    transactions: [{ ...transaction, metadata }],
  });
  const { hits } = await search("LONG");
  const { uuid, ...found } = hits[0].record;
  expect(found).toMatchObject({ metadata: null, isMetadataLeftOut: true });
  const page = `/organizations/${organization.organizationId}/records/transactions/${uuid}`;
  const { json: record } = await viewer.get(page);
  expect(record.metadata).toBe(JSON.stringify(metadata));
  expect(record).not.toHaveProperty("isMetadataLeftOut");
});

test("a reference that was never stored shows the batches in which it failed, with the reasons", async () => {
  const { hits, unstored } = await search("T-2");
  expect(hits).toEqual([]);
  expect(unstored).toMatchObject([
    { referenceUuid: organization.runUuid, position: 1, resource: 1, status: 4, reasonCode: 5 },
  ]);
  expect(unstored[0].errorDetail).toContain("type");
});

test("a reference of a stored account that also failed as a subscription shows both", async () => {
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
  ["an email address in another case", " jo@EXAMPLE.com ", "contacts", "email"],
  ["a phone number with other separators", "+1 (555) 010.0123", "contacts", "phone"],
  ["a license plate with other spacing", "ABC-1234", "vehicles", "plate"],
  ["a lead's email", "lead@example.com", "leads", "email"],
  ["a location's name", "main garage", "locations", "name"],
])("%s is found", async (_what, text, kind, matchedBy) => {
  const { hits } = await search(text);
  expect(hits).toMatchObject([{ kind, matchedBy }]);
});

test.each([
  ["a transactionId", "t-1", "transactions", "transactionId"],
  ["an account's tpReferenceId", "a-1", "accounts", "tpReferenceId"],
  ["a subscription's tpReferenceId", " s-1 ", "subscriptions", "tpReferenceId"],
  ["a contact's tpReferenceId", "c-1", "contacts", "tpReferenceId"],
])("%s is found in any case", async (_what, text, kind, matchedBy) => {
  const { hits } = await search(text);
  expect(hits).toContainEqual(expect.objectContaining({ kind, matchedBy }));
});

test("identifiers with many letters are found in any case, and exact matches come first", async () => {
  const { apiKey } = organization;
  const stored = "HarbourGarage-Zürich-LongTermParkers-0017";
  const inUpperCase = stored.toUpperCase();
  await gatehouse.post("/integrations/accounts", apiKey, {
    accounts: [stored, inUpperCase].map((tpReferenceId) => ({ tpReferenceId, name: "A" })),
  });
  const references = async (text: string) =>
    (await search(text)).hits.map((hit: { record: { reference: string } }) => hit.record.reference);
  expect((await references(stored.toLowerCase())).toSorted()).toEqual([inUpperCase, stored].toSorted());
  expect(await references(stored)).toEqual([stored]);
  expect(await references(`${stored.toLowerCase()}8`)).toEqual([]);
  expect(await references(stored.toLowerCase().slice(0, -1))).toEqual([]);
});

test("failed references and references of locations are found in any case", async () => {
  expect((await search("t-2")).unstored).toMatchObject([{ reference: "T-2" }]);
  await gatehouse.database.work.query("update locations set tp_reference_id = 'Loc-Ref' where id = $1", [
    organization.locationUuid,
  ]);
  expect((await search("LOC-ref")).hits).toMatchObject([{ kind: "locations", matchedBy: "tpReferenceId" }]);
});

test("a license plate that matches does not hide a reference in another case", async () => {
  const { apiKey } = organization;
  await gatehouse.post("/integrations/accounts", apiKey, {
    accounts: [{ tpReferenceId: "ABC-1234", name: "A" }],
  });
  const kinds = (await search("abc-1234")).hits.map(({ kind }: { kind: string }) => kind);
  expect(kinds.toSorted()).toEqual(["accounts", "vehicles"]);
});

test("a request id finds its import, whether the service or the caller chose it", async () => {
  const { apiKey } = organization;
  const accounts = [{ tpReferenceId: "by-request", name: "A" }];
  const made = await gatehouse.post("/integrations/accounts", apiKey, { accounts });
  const given = await gatehouse.send({
    method: "POST",
    url: "/integrations/accounts",
    key: apiKey,
    headers: { "content-type": "application/json", "x-request-id": "job:17" },
    payload: JSON.stringify({ accounts }),
  });
  for (const answer of [made, given]) {
    const id = String(answer.headers["x-request-id"]);
    for (const text of new Set([id, ` ${id} `]))
      expect((await search(text)).hits, text).toEqual([
        {
          kind: "runs",
          matchedBy: "requestId",
          uuid: answer.json.referenceUuid,
          title: "Import",
          subtitle: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/),
        },
      ]);
  }
  expect((await search(String(made.headers["x-request-id"]).toUpperCase())).hits).toHaveLength(1);
  expect((await search("00000000-0000-4000-8000-000000000000")).hits).toEqual([]);
});

test("no search scans a table: stored data is found by index, in any case", async () => {
  const { organizationId } = organization;
  const { work } = gatehouse.database;
  const rows = 20_000;
  await work.query(
    `insert into accounts (organization_id, id, tp_reference_id, name, type, is_active, import_run_id, position, created_at)
     select $1, gen_random_uuid(), 'Reference-' || number, 'A', 1, true, gen_random_uuid(), number, now()
     from generate_series(1, $2) as number`,
    [organizationId, rows],
  );
  await work.query(
    `insert into import_runs (organization_id, id, resource, status, started_at, completed_at, duration_ms,
       total_submitted, success_count, failed_count, skipped_count, request_id)
     select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, 1, 1, now(), now(), 1, 0, 0, 0, 0,
       'bulk-' || number
     from generate_series(1, $2) as number`,
    [organizationId, rows],
  );
  await work.query(
    `insert into import_exceptions (organization_id, run_id, position, reference, status, reason_code)
     select $1, '00000000-0000-7000-8000-000000000001', number, 'Failed-' || number, 4, 5
     from generate_series(1, $2) as number`,
    [organizationId, rows],
  );
  await work.query("analyze");
  // The other tables need many rows too, because the planner scans small ones.
  const tables = ["accounts", "import_exceptions", "import_runs"];
  const { "x-request-id": requestId } = (
    await gatehouse.post("/integrations/accounts", organization.apiKey, {
      accounts: [{ tpReferenceId: "looked-up", name: "A" }],
    })
  ).headers;
  const texts = ["REFERENCE-19999", "reference-77", "FAILED-19999", "nothing of the kind", String(requestId)];
  for (const text of texts) {
    const read = await rowsReadBy(gatehouse.database, tables, () => search(text));
    expect(read.sequential, text).toBe(0);
    // For callers' ids only the newest imports are searched.
    expect(read.indexed, text).toBeLessThan(text === requestId ? 500 : rows + 500);
  }
  expect((await search("REFERENCE-19999")).hits).toMatchObject([{ kind: "accounts" }]);
});

test("any uuid is found in any case: of a record, import, lead, location or key", async () => {
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

test("linked records are listed with a record", async () => {
  const { hits } = await search("A-1");
  const groups = hits[0].record.linkedFrom;
  expect(groups.map((group: { kind: string; data: object[] }) => [group.kind, group.data.length])).toEqual([
    ["subscriptions", 1],
    ["transactions", 1],
  ]);
});

test.each(["", "   ", "nothing of the kind", "%", "\u0000", "'; drop table transactions"])(
  "%j finds nothing and causes no error",
  async (text) => {
    expect(await search(text)).toMatchObject({ hits: [], unstored: [], truncated: false });
  },
);

test("the number of leads shown for one address is limited", async () => {
  const { apiKey, locationUuid } = organization;
  for (let count = 0; count < 12; count += 1)
    await gatehouse.post("/lead/submit", apiKey, { email: "often@example.com", locationUuid });
  expect((await search("often@example.com")).hits).toHaveLength(10);
});

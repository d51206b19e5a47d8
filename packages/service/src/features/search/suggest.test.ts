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
  await gatehouse.post("/integrations/subscriptions", organization.apiKey, {
    subscriptions: [{ tpReferenceId: "Annual Pass-01", accountTPReferenceId: "A-1" }],
  });
  viewer = await signedIn(gatehouse, "viewer", organization.organizationId);
});

async function suggest(text: string): Promise<{ kind: string; uuid: string; title: string }[]> {
  const path = `/organizations/${organization.organizationId}/search/suggestions`;
  return (await viewer.get(`${path}?q=${encodeURIComponent(text)}`)).json.data;
}

test("the beginning of a reference, email, phone number, plate or key suggests what has it", async () => {
  const { rows } = await gatehouse.database.work.query("select prefix from api_keys where id = $1", [
    organization.keyId,
  ]);
  for (const [text, kind, title] of [
    ["T-", "transactions", "T-1"],
    ["t-", "transactions", "T-1"],
    [" A-", "accounts", "A-1"],
    ["s-", "subscriptions", "S-1"],
    ["ANNUAL Pass-0", "subscriptions", "Annual Pass-01"],
    ["jo@ex", "contacts", "Jo@Example.com"],
    ["C-1", "contacts", "Jo@Example.com"],
    ["+1 (555) 010", "contacts", "Jo@Example.com"],
    ["ABC-12", "vehicles", "abc 1234"],
    ["LEAD@", "leads", "lead@example.com"],
    [String(rows[0].prefix).slice(0, 8), "api-keys", "test"],
  ] as const)
    expect(await suggest(text), text).toContainEqual(
      expect.objectContaining({ kind, title: expect.stringContaining(title) }),
    );
});

test("the beginning of a uuid suggests imports, records, leads and locations, each once", async () => {
  const { transactionUuid, accountUuid, runUuid, leadUuid, locationUuid } = organization;
  for (const [uuid, kind] of [
    [transactionUuid, "transactions"],
    [accountUuid, "accounts"],
    [runUuid, "runs"],
    [leadUuid, "leads"],
    [locationUuid, "locations"],
  ] as const)
    for (const text of [uuid, uuid.slice(0, 35).toUpperCase()])
      expect((await suggest(text)).filter((one) => one.uuid === uuid)).toMatchObject([{ kind }]);
});

test("another organization's things are not suggested", async () => {
  const other = await sampleOrganization(gatehouse);
  for (const text of ["T-1", other.transactionUuid.slice(0, 35), "lead@"])
    expect((await suggest(text)).map(({ uuid }) => uuid)).not.toContain(other.transactionUuid);
});

test.each(["", " ", "T", "%", "__", "\u0000\u0000", "'; drop table leads", "𝕋"])(
  "%j suggests nothing and causes no error",
  async (text) => {
    expect(await suggest(text)).toEqual([]);
  },
);

test("a common beginning reads a few rows through indexes", async () => {
  const { organizationId } = organization;
  await gatehouse.database.work.query(
    `insert into accounts (organization_id, id, tp_reference_id, name, type, is_active, import_run_id, position, created_at)
     select $1, gen_random_uuid(), 'common-' || number, 'A', 1, true, gen_random_uuid(), number, now()
     from generate_series(1, 20000) as number`,
    [organizationId],
  );
  await gatehouse.database.work.query("analyze accounts");
  const read = await rowsReadBy(gatehouse.database, ["accounts"], async () => {
    expect((await suggest("common-")).map(({ title }) => title)).toEqual([
      "common-1",
      "common-10",
      "common-100",
      "common-1000",
    ]);
  });
  expect(read.sequential).toBe(0);
  expect(read.indexed).toBeLessThan(50);
});

import { expect, test } from "vitest";
import { consoleRoot, signedIn } from "../../../testing/console.js";
import { useApp } from "../../../testing/harness.js";

const gatehouse = useApp({ limits: {} });

async function uploader() {
  const tenant = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", tenant.organizationId);
  const path = `/organizations/${tenant.organizationId}/imports`;
  const record = {
    transactionId: "T-1",
    locationUuid: tenant.locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00.000Z",
  };
  return { ...tenant, admin, path, record };
}

test("an upload is an ordinary run without a key: the public interface shows it as its own", async () => {
  const { admin, path, record, apiKey, organizationId } = await uploader();
  const body = {
    transactions: [record, { ...record, transactionId: "T-2", type: 9 }, record],
    metadata: { file: "a.csv" },
  };
  const answer = await admin.post(`${path}/transactions`, body);
  expect(answer.status).toBe(200);
  expect(answer.json.results.map((result: { status: number }) => result.status)).toEqual([1, 4, 3]);
  const { referenceUuid } = answer.json;
  const fetched = await gatehouse.send({
    method: "GET",
    url: `/integrations/imports/${referenceUuid}`,
    key: apiKey,
  });
  expect(fetched.json).toEqual(answer.json);
  const run = (await admin.get(`/organizations/${organizationId}/runs/${referenceUuid}`)).json;
  expect(run).toMatchObject({ apiKey: null, metadata: '{"file":"a.csv"}' });
  const trail = (await admin.get(`/organizations/${organizationId}/audit?action=import`)).json.data;
  expect(trail).toMatchObject([
    { actor: admin.email, action: "import.upload", subject: { uuid: referenceUuid } },
  ]);
});

test("a run that was uploaded is never without its line in the audit log: both are stored, or neither", async () => {
  const { admin, path, record, organizationId } = await uploader();
  const { work } = gatehouse.database;
  await work.query(`
    create function refuse_audit() returns trigger language plpgsql as $$ begin raise 'no audit today'; end $$;
    create trigger refuse_audit before insert on audit_log for each row
      when (new.action = 'import.upload') execute function refuse_audit()`);
  const stored = async (table: string) =>
    (await work.query(`select from ${table} where organization_id = $1`, [organizationId])).rowCount;
  try {
    expect((await admin.post(`${path}/transactions`, { transactions: [record] })).status).toBe(500);
    expect([await stored("transactions"), await stored("import_runs")]).toEqual([0, 0]);
  } finally {
    await work.query("drop trigger refuse_audit on audit_log; drop function refuse_audit");
  }
  // The failed run is recorded now that it can be, and its line with it.
  await expect.poll(() => stored("import_runs"), { timeout: 20_000 }).toBe(1);
  expect((await admin.post(`${path}/transactions`, { transactions: [record] })).json.successCount).toBe(1);
  const trail = (await admin.get(`/organizations/${organizationId}/audit?action=import`)).json.data;
  expect(trail).toHaveLength(2);
});

test("a validation answers the same without a referenceUuid and stores nothing", async () => {
  const { admin, path, record, organizationId } = await uploader();
  const answer = await admin.post(`${path}/transactions/validate`, { transactions: [record] });
  expect(answer.json).toMatchObject({ status: 1, successCount: 1 });
  expect(answer.json).not.toHaveProperty("referenceUuid");
  expect((await admin.get(`/organizations/${organizationId}/runs`)).json.data).toEqual([]);
});

test("accounts and subscriptions can be uploaded too; nothing else can", async () => {
  const { admin, path } = await uploader();
  const accounts = await admin.post(`${path}/accounts`, { accounts: [{ tpReferenceId: "A", name: "A" }] });
  expect(accounts.json).toMatchObject({ resource: 2, successCount: 1 });
  const subscriptions = await admin.post(`${path}/subscriptions`, {
    subscriptions: [{ tpReferenceId: "S", accountTPReferenceId: "A" }],
  });
  expect(subscriptions.json).toMatchObject({ resource: 3, successCount: 1 });
  expect((await admin.post(`${path}/contacts`, { contacts: [{}] })).json.code).toBe("notFound");
});

test("it counts against the organization's limit, together with its keys, and is refused as they are", async () => {
  const { admin, path, apiKey } = await uploader();
  for (let count = 0; count < 30; count += 1) {
    await gatehouse.post("/integrations/accounts", apiKey, { accounts: [] });
    const answer = await admin.post(`${path}/accounts`, { accounts: [] });
    expect(answer.headers["x-ratelimit-remaining"]).toBe(String(60 - 2 * (count + 1)));
  }
  const refused = await admin.post(`${path}/accounts`, { accounts: [] });
  expect(refused.status).toBe(429);
  expect(refused.json).toMatchObject({ success: false, retryAfter: 60 });
  expect(refused.headers["retry-after"]).toBe("60");
  expect((await gatehouse.post("/integrations/accounts", apiKey, { accounts: [] })).status).toBe(429);
});

test("an unusable batch is refused in the words of the public interface", async () => {
  const { admin, path, record } = await uploader();
  expect((await admin.post(`${path}/transactions`, { transactions: [] })).json).toEqual({
    error: "transactions must contain at least one record",
  });
  const tooMany = await admin.post(`${path}/transactions`, { transactions: Array(501).fill(record) });
  expect(tooMany.status).toBe(413);
  expect(tooMany.json).toMatchObject({ submitted: 501, max: 500 });
  const malformed = await admin.post(`${path}/transactions`, '{"transactions":[');
  expect(malformed.headers["content-type"]).toContain("application/problem+json");
  const tooLarge = await admin.post(`${path}/transactions`, " ".repeat(5 * 1024 * 1024 + 1));
  expect([tooLarge.status, tooLarge.text]).toEqual([413, ""]);
});

test("other requests of the console are bounded far lower", async () => {
  const { admin } = await uploader();
  const answer = await admin.post("/session/password", `{"newPassword":"${"x".repeat(70_000)}"}`);
  expect(answer.status).toBe(413);
  expect(answer.json.code).toBe("tooLarge");
  expect(consoleRoot).toBe("/console/api");
});

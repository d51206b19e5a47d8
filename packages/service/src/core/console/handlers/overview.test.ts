import { expect, test } from "vitest";
import { signedIn } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";

const gatehouse = useApp({ limits: {} });

async function organization() {
  const tenant = await gatehouse.tenant();
  const viewer = await signedIn(gatehouse, "viewer", tenant.organizationId);
  const get = async (path: string) =>
    (await viewer.get(`/organizations/${tenant.organizationId}/overview/${path}`)).json;
  const accounts = (...records: object[]) =>
    gatehouse.post("/integrations/accounts", tenant.apiKey, { accounts: records });
  return { ...tenant, get, accounts };
}

test("records are counted by outcome over time, with a bucket for every interval, including empty ones", async () => {
  const { get, accounts } = await organization();
  await accounts({ tpReferenceId: "A", name: "A" }, { tpReferenceId: "B", name: "B" });
  await accounts({ tpReferenceId: "A", name: "A" }, {});
  const hours = await get("outcomes");
  expect(hours.bucket).toBe("hour");
  expect(hours.buckets.length).toBeGreaterThanOrEqual(24);
  expect(hours.buckets.at(-1)).toMatchObject({ runs: 2, created: 2, skipped: 1, failed: 1 });
  expect(hours.buckets[0]).toMatchObject({ runs: 0, created: 0, skipped: 0, failed: 0 });
  const starts = hours.buckets.map((bucket: { start: string }) => Date.parse(bucket.start));
  expect(
    starts.every((start: number, index: number) => index === 0 || start - starts[index - 1] === 3_600_000),
  ).toBe(true);

  const from = new Date(Date.now() - 9 * 86_400_000).toISOString();
  const days = await get(`outcomes?bucket=day&from=${from}`);
  expect(days.buckets).toHaveLength(10);
  expect(days.buckets.at(-1)).toMatchObject({ runs: 2 });
  expect((await get(`outcomes?from=2020-01-01T00:00:00Z`)).errors).toEqual([
    "The range must not be longer than 31 days",
  ]);
});

test("the most frequent reasons come first, with their meaning and advice", async () => {
  const { get, accounts, apiKey } = await organization();
  const begunAt = Date.now();
  await accounts({ tpReferenceId: "A", name: "A" });
  await accounts(
    { tpReferenceId: "A", name: "A" },
    { tpReferenceId: "A", name: "A" },
    {},
    { tpReferenceId: "C", name: 7 },
  );
  await accounts({ tpReferenceId: "A", name: "A" });
  const { data, truncated } = await get("reasons");
  expect(
    data.map((row: Record<string, unknown>) => [row["reasonCode"], row["status"], row["count"], row["runs"]]),
  ).toEqual([
    [1, 3, 3, 2],
    [4, 4, 1, 1],
    [5, 4, 1, 1],
  ]);
  // The run itself keeps only the first hundred of them.
  const transactions = Array.from({ length: 150 }, () => ({}));
  await gatehouse.post("/integrations/transactions", apiKey, { transactions });
  expect((await get("reasons")).data[0]).toMatchObject({ reasonCode: 4, count: 151, runs: 2 });
  expect(data[0].name).toBe("DuplicateTransactionId");
  expect(Date.parse(data[0].lastSeenAt)).toBeGreaterThanOrEqual(begunAt);
  expect(truncated).toBe(false);
});

test("the usage of rate limits is shown without consuming them, including lifted and shared limits", async () => {
  const { get, accounts } = await organization();
  for (let count = 0; count < 3; count += 1) await accounts({});
  await get("../limits");
  const { data } = await get("../limits");
  const of = (operation: string) => data.find((row: { operation: string }) => row.operation === operation);
  expect(of("importAccounts")).toMatchObject({
    usual: { requests: 60, windowSeconds: 60 },
    used: 3,
    per: "organization",
  });
  expect(of("importTransactions").used).toBe(0);
  expect(of("submitLead")).toMatchObject({ per: "address", used: null });
});

test("key usage shows which key used which operation, and how often it was rejected", async () => {
  const { get, accounts, organizationId } = await organization();
  for (let count = 0; count < 61; count += 1) await accounts({});
  await expect
    .poll(async () => (await get("key-use")).data, { interval: 250 })
    .toMatchObject([{ name: "test", operation: "importAccounts", accepted: 60, limited: 1 }]);
  const { rows } = await gatehouse.database.work.query("select id from api_keys where organization_id = $1", [
    organizationId,
  ]);
  expect((await get("key-use")).data[0].apiKeyUuid).toBe(rows[0].id);
});

import pg from "pg";
import { describe, expect, test } from "vitest";
import { openGateway } from "../../testing/gateway.js";
import { useApp } from "../../testing/harness.js";
import { recordStatements } from "../../testing/statements.js";
import { listApiKeys } from "../organizations/api-keys.js";
import { collectKeyUsage } from "./key-usage.js";

const gatehouse = useApp();
const ignore = (): void => undefined;

async function usageOf(organizationId: string) {
  const { rows } = await gatehouse.database.work.query(
    `select api_key_id, operation, sum(accepted)::int as accepted, sum(limited)::int as limited
     from api_key_usage where organization_id = $1 group by 1, 2 order by 1, 2`,
    [organizationId],
  );
  return rows;
}

async function oneKey() {
  const { organizationId } = await gatehouse.tenant();
  const [key] = await listApiKeys(gatehouse.database.work, organizationId);
  return { organizationId, apiKeyId: key?.uuid as string };
}

test("when and from where a key was last used is kept without a write for each request", async () => {
  const { organizationId, apiKey } = await gatehouse.tenant();
  const before = Date.now();
  const { sent, stop } = recordStatements();
  for (let request = 0; request < 5; request += 1)
    await gatehouse.send({
      url: "/integrations/locations",
      key: apiKey,
      headers: { "x-forwarded-for": "203.0.113.7" },
    });
  await gatehouse.send({ url: "/integrations/imports", key: apiKey });

  // Closing the app writes what is pending; here the interval does, which nobody waits for.
  await expect
    .poll(async () => (await usageOf(organizationId)).map(({ operation, accepted }) => [operation, accepted]))
    .toEqual([
      ["listImports", 1],
      ["listLocations", 5],
    ]);
  stop();
  const writes = sent.filter(({ text }) => text.includes("insert into api_key_usage"));
  expect(writes.length).toBeLessThan(6);
  const [key] = await listApiKeys(gatehouse.database.work, organizationId);
  expect(Date.parse(key?.lastUsedAt ?? "")).toBeGreaterThanOrEqual(before);
  expect(["203.0.113.7", "127.0.0.1"]).toContain(key?.lastUsedAddress);
});

describe("the collection", () => {
  test("adds up what several instances note, by hour and operation, and keeps the latest use", async () => {
    const key = await oneKey();
    const [one, other] = [
      collectKeyUsage(gatehouse.database.gate, ignore),
      collectKeyUsage(gatehouse.database.gate, ignore),
    ];
    one.note(key, "listLocations", "accepted", "192.0.2.1");
    other.note(key, "listLocations", "limited", "192.0.2.2");
    for (const noted = Date.now(); Date.now() === noted;);
    other.note(key, "importAccounts", "accepted", "192.0.2.3");
    await other.flush();
    await one.flush();
    await one.flush();
    expect(await usageOf(key.organizationId)).toEqual([
      { api_key_id: key.apiKeyId, operation: "importAccounts", accepted: 1, limited: 0 },
      { api_key_id: key.apiKeyId, operation: "listLocations", accepted: 1, limited: 1 },
    ]);
    const [stored] = await listApiKeys(gatehouse.database.work, key.organizationId);
    expect(stored?.lastUsedAddress).toBe("192.0.2.3");
    await Promise.all([one.close(), other.close()]);
  });

  test("instances that write at the same moment, in whatever order, do not block each other", async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, oneKey));
    const instances = Array.from({ length: 4 }, () => collectKeyUsage(gatehouse.database.gate, ignore));
    for (let round = 0; round < 10; round += 1) {
      for (const [index, instance] of instances.entries()) {
        // Different operations, so that the instances meet in nothing but the keys themselves.
        const operation = (["listLocations", "listImports", "getImport", "importAccounts"] as const)[
          index
        ] as "getImport";
        for (const key of index % 2 === 0 ? keys : keys.toReversed())
          instance.note(key, operation, "accepted", "192.0.2.1");
      }
      await Promise.all(instances.map((instance) => instance.flush()));
    }
    for (const key of keys)
      expect((await usageOf(key.organizationId)).map(({ accepted }) => accepted)).toEqual([10, 10, 10, 10]);
    await Promise.all(instances.map((instance) => instance.close()));
  });

  test("does not wait for a key that somebody is changing at this moment", async () => {
    const key = await oneKey();
    const usage = collectKeyUsage(gatehouse.database.gate, ignore);
    const admin = await gatehouse.database.work.connect();
    await admin.query("begin");
    await admin.query("select from api_keys where id = $1 for update", [key.apiKeyId]);
    usage.note(key, "listLocations", "accepted", "192.0.2.1");
    await usage.flush().finally(() => admin.release(true));
    expect(await usageOf(key.organizationId)).toMatchObject([{ operation: "listLocations", accepted: 1 }]);
    usage.note(key, "listLocations", "accepted", "192.0.2.1");
    await usage.close();
    const [stored] = await listApiKeys(gatehouse.database.work, key.organizationId);
    expect(stored?.lastUsedAddress).toBe("192.0.2.1");
  });

  test("what the database does not take is kept and written when it is back; a close does not fail over it", async () => {
    const key = await oneKey();
    const gateway = await openGateway(gatehouse.connectionString);
    const flaky = new pg.Pool({ connectionString: gateway.connectionString, connectionTimeoutMillis: 2_000 });
    flaky.on("error", ignore);
    const usage = collectKeyUsage(flaky, ignore);
    gateway.cut();
    usage.note(key, "listLocations", "accepted", "192.0.2.1");
    await expect(usage.flush()).rejects.toThrow(/terminated|ECONNRESET/);
    usage.note(key, "listLocations", "accepted", "192.0.2.1");
    await expect(usage.flush()).rejects.toThrow(/terminated|ECONNRESET/);
    gateway.restore();
    await usage.flush();
    expect(await usageOf(key.organizationId)).toMatchObject([{ operation: "listLocations", accepted: 2 }]);

    gateway.cut();
    usage.note(key, "listLocations", "accepted", "192.0.2.1");
    await usage.close();
    await flaky.end();
    await gateway.close();
  });
});

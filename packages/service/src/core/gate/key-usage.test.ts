import type { OperationName } from "@gatehouse-parking/contract";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { openGateway } from "../../../testing/gateway.js";
import { useApp } from "../../../testing/harness.js";
import { recordStatements } from "../../../testing/statements.js";
import {
  maxEqualRefusals,
  maxLinesPerStatement,
  PendingLines,
} from "../../features/request-log/pending-lines.js";
import { listApiKeys } from "../organizations/api-keys.js";
import type { AnsweredRequest } from "./answered-request.js";
import { collectKeyUsage } from "./key-usage.js";

const gatehouse = useApp();
const ignore = (): void => undefined;
const collect = (pool = gatehouse.database.gate) =>
  collectKeyUsage(pool, { observer: new PendingLines(), onError: ignore });

type Key = { organizationId: string; apiKeyId: string };

const accepted = (key: Key, operation: OperationName, address: string): AnsweredRequest => ({
  ...key,
  operation,
  address,
  status: 200,
  reason: null,
  runId: null,
  bodyBytes: 0,
  durationMs: 1.5,
  requestId: "some-request",
  answer: null,
});
const limited = (key: Key, operation: OperationName, address: string): AnsweredRequest => ({
  ...accepted(key, operation, address),
  status: 429,
  reason: "rateLimited",
});

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

test("a key's last use and client address are stored without a write per request", async () => {
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

  // Closing the app writes pending usage. Here the interval does, without a caller waiting for it.
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

describe("key usage collection", () => {
  test("adds up the usage from several instances by hour and operation, and keeps the latest use", async () => {
    const key = await oneKey();
    const [one, other] = [collect(), collect()];
    one.note(accepted(key, "listLocations", "192.0.2.1"));
    other.note(limited(key, "listLocations", "192.0.2.2"));
    for (const noted = Date.now(); Date.now() === noted;);
    other.note(accepted(key, "importAccounts", "192.0.2.3"));
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

  test("concurrent writes of several instances do not deadlock", async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, oneKey));
    const instances = Array.from({ length: 4 }, () => collect());
    for (let round = 0; round < 10; round += 1) {
      for (const [index, instance] of instances.entries()) {
        // Different operations, so that the instances share only the key rows.
        const operation = (["listLocations", "listImports", "getImport", "importAccounts"] as const)[
          index
        ] as "getImport";
        for (const key of index % 2 === 0 ? keys : keys.toReversed())
          instance.note(accepted(key, operation, "192.0.2.1"));
      }
      await Promise.all(instances.map((instance) => instance.flush()));
    }
    for (const key of keys)
      expect((await usageOf(key.organizationId)).map(({ accepted }) => accepted)).toEqual([10, 10, 10, 10]);
    await Promise.all(instances.map((instance) => instance.close()));
  });

  test("does not wait for a locked key", async () => {
    const key = await oneKey();
    const usage = collect();
    const admin = await gatehouse.database.work.connect();
    await admin.query("begin");
    await admin.query("select from api_keys where id = $1 for update", [key.apiKeyId]);
    usage.note(accepted(key, "listLocations", "192.0.2.1"));
    await usage.flush();
    await admin.query("rollback");
    admin.release();
    expect(await usageOf(key.organizationId)).toMatchObject([{ operation: "listLocations", accepted: 1 }]);
    usage.note(accepted(key, "listLocations", "192.0.2.1"));
    await usage.close();
    const [stored] = await listApiKeys(gatehouse.database.work, key.organizationId);
    expect(stored?.lastUsedAddress).toBe("192.0.2.1");
  });

  test("keeps usage that could not be written, and writes it later; closing does not fail", async () => {
    const key = await oneKey();
    const gateway = await openGateway(gatehouse.connectionString);
    const flaky = new pg.Pool({ connectionString: gateway.connectionString, connectionTimeoutMillis: 2_000 });
    flaky.on("error", ignore);
    const usage = collect(flaky);
    gateway.cut();
    usage.note(accepted(key, "listLocations", "192.0.2.1"));
    await expect(usage.flush()).rejects.toThrow(/terminated|ECONNRESET/);
    usage.note(accepted(key, "listLocations", "192.0.2.1"));
    await expect(usage.flush()).rejects.toThrow(/terminated|ECONNRESET/);
    gateway.restore();
    await usage.flush();
    expect(await usageOf(key.organizationId)).toMatchObject([{ operation: "listLocations", accepted: 2 }]);

    gateway.cut();
    usage.note(accepted(key, "listLocations", "192.0.2.1"));
    await usage.close();
    await flaky.end();
    await gateway.close();
  });

  /** A pool that keeps answering requests while a statement is written. */
  function busyPool(onWrite: () => void): pg.Pool {
    class BusyPool extends pg.Pool {
      override query(...values: unknown[]): never {
        onWrite();
        return super.query(...(values as [string])) as never;
      }
    }
    const pool = new BusyPool({ connectionString: gatehouse.connectionString, max: 1 });
    onTestFinished(() => pool.end());
    return pool;
  }

  async function logged({ organizationId }: Key): Promise<{ status: number; lines: number }[]> {
    const { rows } = await gatehouse.database.work.query(
      "select status, count(*)::int as lines from request_log where organization_id = $1 group by 1 order by 1",
      [organizationId],
    );
    return rows;
  }

  test("a write takes the usage waiting at its start, and ends however many requests arrive meanwhile", async () => {
    const key = await oneKey();
    let writes = 0;
    const pool = busyPool(() => {
      writes += 1;
      // Otherwise the test itself would not end.
      if (writes < 50) usage.note(accepted(key, "listLocations", "192.0.2.1"));
    });
    const usage = collect(pool);
    usage.note(accepted(key, "listLocations", "192.0.2.1"));
    await usage.flush();
    expect(writes).toBe(1);
    expect(await logged(key)).toEqual([{ status: 200, lines: 1 }]);
    await usage.close();
    expect(await logged(key)).toEqual([{ status: 200, lines: 2 }]);
    expect(await usageOf(key.organizationId)).toMatchObject([{ accepted: 2 }]);
  });

  test("equal rejections are counted between writes, however many statements a write takes", async () => {
    const key = await oneKey();
    let writes = 0;
    const pool = busyPool(() => {
      writes += 1;
      const refusals = writes <= 3 ? maxEqualRefusals * 2 : 0;
      for (let count = 0; count < refusals; count += 1) usage.note(limited(key, "submitLead", "192.0.2.1"));
    });
    const usage = collect(pool);
    for (let count = 0; count < maxLinesPerStatement * 2 + 1; count += 1)
      usage.note(accepted(key, "listLocations", "192.0.2.1"));
    await usage.flush();
    expect(writes).toBe(3);
    await usage.close();
    expect(await logged(key)).toEqual([
      { status: 200, lines: maxLinesPerStatement * 2 + 1 },
      { status: 429, lines: maxEqualRefusals },
    ]);
    expect(await usageOf(key.organizationId)).toMatchObject([
      { operation: "listLocations", accepted: maxLinesPerStatement * 2 + 1 },
      { operation: "submitLead", limited: maxEqualRefusals * 6 },
    ]);
  });
});

import { randomUUID } from "node:crypto";
import { importResources } from "@gatehouse-parking/contract";
import { pino } from "pino";
import { expect, test } from "vitest";
import { useApp } from "../../../../testing/harness.js";
import { interceptStatements } from "../../../../testing/statements.js";
import { transactionFile, uploader, type Uploader } from "../../../../testing/uploader.js";
import { buildApp, effectiveLimits } from "../../../app.js";
import { bucketName } from "../../../core/gate/gate.js";
import { claim, releaseClaim, type Claim } from "../queue.js";
import { restMs } from "./rest.js";

const gatehouse = useApp();

test("an upload stops when its outcomes exceed the storage for uploads, and can be resumed after that", async () => {
  const by = await uploader(gatehouse);
  const other = await by.run(transactionFile(by, 1));
  const takeRoom = (bytes: number) =>
    gatehouse.database.work.query(
      "update uploads set kept_bytes = $3 where organization_id = $1 and id = $2",
      [by.organizationId, other.uuid, bytes],
    );
  const uuid = await by.receive(transactionFile(by, 3));
  await takeRoom(gatehouse.config.uploadStorageBytes);
  await by.start(uuid);
  await gatehouse.app.uploads.runUntilIdle();
  const upload = await by.show(uuid);
  expect(upload).toMatchObject({ state: "stopped", rows: 0 });
  expect(upload.problem).toMatch(
    /^The uploads of the organization and .* use .* MB of .* MB.*Remove some of them, then resume$/,
  );
  await takeRoom(0);
  await by.act(uuid, "resume");
  await gatehouse.app.uploads.runUntilIdle();
  expect(await by.show(uuid)).toMatchObject({ state: "finished", rows: 3, problem: null });
});

test("an upload does not count against the rate limits of the organization", async () => {
  const { database } = gatehouse;
  const { importOperation: operation } = importResources.transactions;
  const limit = { ...effectiveLimits(gatehouse.config)[operation], requests: 2 };
  const config = { ...gatehouse.config, limits: { [operation]: limit } };
  const app = await buildApp({ config, database, logger: pino({ level: "silent" }) });
  try {
    const by = await uploader(gatehouse);
    const uuid = await by.receive(transactionFile(by, 1_501));
    await by.start(uuid);
    await app.uploads.runUntilIdle();
    expect(await by.show(uuid)).toMatchObject({ state: "finished", runCount: 4 });
    const bucket = bucketName(operation, by.organizationId);
    expect(await app.rateLimiter.take(bucket, limit)).toMatchObject({ accepted: true, remaining: 1 });
  } finally {
    await app.close();
  }
});

test("all uploads of an instance together work for half of the time", () => {
  expect(restMs(60, 1)).toBe(60);
  // Each of two works for a quarter of the time.
  expect(restMs(60, 2)).toBe(180);
  expect(restMs(3_600_000, 1)).toBe(10_000);
});

const isGuard = (text: string) => text.includes("decided_rows = $4");

test("an import of a partner waits for at most one batch of an upload", async () => {
  const by = await uploader(gatehouse);
  const uuid = await by.receive(transactionFile(by, 2_000));
  await by.start(uuid);
  let guards = 0;
  let answer: Promise<unknown> | undefined;
  const stop = interceptStatements(gatehouse.database.work, (texts, send) => {
    if (texts.some(isGuard) && (guards += 1) === 2) {
      const { apiKey, locationUuid } = by;
      answer = gatehouse.post("/integrations/transactions", apiKey, {
        transactions: [
          { transactionId: "P-1", locationUuid, type: 1, transactionDate: "2026-04-01T14:30:00Z" },
        ],
      });
    }
    return send();
  });
  await gatehouse.app.uploads.runUntilIdle();
  stop();
  expect(await answer).toMatchObject({ status: 200 });
  // In the order in which they were stored.
  const { rows } = await gatehouse.database.work.query(
    "select total_submitted as records from import_runs where organization_id = $1 order by ctid",
    [by.organizationId],
  );
  expect(rows.map(({ records }) => records)).toEqual([500, 500, 1, 500, 500]);
});

test("a check takes no lock, so imports go on meanwhile", async () => {
  const by = await uploader(gatehouse);
  const client = await gatehouse.database.work.connect();
  try {
    await client.query("begin");
    await client.query("select from import_turns where organization_id = $1 for update", [by.organizationId]);
    const upload = await by.run(transactionFile(by, 501), { validateOnly: true });
    expect(upload).toMatchObject({ state: "finished", created: 501, totalRows: 501 });
  } finally {
    await client.query("rollback");
    client.release();
  }
});

async function queued(by: Uploader): Promise<string> {
  const uuid = await by.receive(transactionFile(by, 1));
  await by.start(uuid);
  return uuid;
}

test("a queued upload shows what it waits for", async () => {
  const { work } = gatehouse.database;
  const [one, other] = [await uploader(gatehouse), await uploader(gatehouse)];
  const first = await queued(one);
  const wait = async (by: Uploader, uuid: string) => (await by.show(uuid)).waitsFor;
  expect(await wait(one, first)).toBeNull();
  const claimed = (await claim(work, randomUUID())) as Claim;
  expect(await wait(one, first)).toBeNull();
  expect(await wait(one, await queued(one))).toBe("ownUpload");
  expect(await wait(other, await queued(other))).toBe("otherUploads");
  await work.query(
    "update upload_queue set leased_until = now() - interval '1 second' where upload_id = $1",
    [first],
  );
  expect(await wait(one, first)).toBe("instance");
  await releaseClaim(work, claimed, { afterSeconds: 60, isCounted: false, waitsFor: "database" });
  expect(await wait(one, first)).toBe("database");
  await work.query("update upload_queue set is_wanted = false");
});

test("an upload in progress shows how many rows it has and how long it will take", async () => {
  const by = await uploader(gatehouse);
  const uuid = await by.receive(transactionFile(by, 1_500));
  await by.start(uuid);
  let guards = 0;
  let seen: Promise<unknown> | undefined;
  const stop = interceptStatements(gatehouse.database.work, (texts, send) => {
    if (!texts.some(isGuard) || (guards += 1) !== 2) return send();
    seen = by.show(uuid);
    void seen.then(send, send);
    return undefined;
  });
  await gatehouse.app.uploads.runUntilIdle();
  stop();
  expect(await seen).toMatchObject({ rows: 500, totalRows: 1_500, secondsLeft: expect.any(Number) });
  expect(await by.show(uuid)).toMatchObject({ totalRows: 1_500, secondsLeft: null, progress: 1 });
});

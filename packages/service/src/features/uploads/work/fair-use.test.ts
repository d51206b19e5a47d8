import { importResources } from "@gatehouse-parking/contract";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { useApp } from "../../../../testing/harness.js";
import { transactionFile, transactionHeader, uploader } from "../../../../testing/uploader.js";
import { buildApp, effectiveLimits } from "../../../app.js";
import { bucketName } from "../../../core/gate/gate.js";
import { leaseSeconds } from "../queue.js";

const gatehouse = useApp();
const { importOperation: operation } = importResources.transactions;
const limitOf = () => effectiveLimits(gatehouse.config)[operation];

test("an upload stops when the organization has no room for what is kept of its rows, and can be resumed after", async () => {
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
  await gatehouse.app.uploads.workThrough();
  const upload = await by.show(uuid);
  expect(upload).toMatchObject({ state: "stopped", rows: 0 });
  expect(upload.problem).toMatch(
    /^The uploads of the organization take .* MB of .* MB.*Remove some of them, then resume$/,
  );
  await takeRoom(0);
  await by.act(uuid, "resume");
  await gatehouse.app.uploads.workThrough();
  expect(await by.show(uuid)).toMatchObject({ state: "finished", rows: 3, problem: null });
});

test("batches of which no row can be sent count against the limit as well", async () => {
  const by = await uploader(gatehouse);
  const bucket = bucketName(operation, by.organizationId);
  const { remaining } = await gatehouse.app.rateLimiter.take(bucket, limitOf());
  // Which of the two is the month is not said.
  const rows = Array.from({ length: 501 }, (_, index) => `T-${index},x,1,04/05/2026 10:00\n`);
  const upload = await by.run(transactionHeader + rows.join(""));
  expect(upload).toMatchObject({ state: "finished", failed: 501, runCount: 0 });
  expect(await gatehouse.app.rateLimiter.take(bucket, limitOf())).toMatchObject({ remaining: remaining - 3 });
});

test("an upload that is cancelled while it waits for the limit does not keep its place", async () => {
  const { database } = gatehouse;
  const config = { ...gatehouse.config, limits: { [operation]: { ...limitOf(), requests: 1 } } };
  const app = await buildApp({ config, database, logger: pino({ level: "silent" }) });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const by = await uploader(gatehouse);
    const uuid = await by.receive(transactionFile(by, 501));
    await by.start(uuid);
    const working = app.uploads.workThrough();
    // The second batch has to wait for as long as the window lasts.
    await expect.poll(async () => (await by.show(uuid)).rows).toBe(500);
    expect((await by.act(uuid, "cancel")).status).toBe(200);
    await vi.advanceTimersByTimeAsync(leaseSeconds * 1_000);
    await working;
    expect(app.uploads.taken).toBe(0);
    expect(await by.show(uuid)).toMatchObject({ state: "cancelled", rows: 500 });
  } finally {
    vi.useRealTimers();
    await app.close();
  }
});

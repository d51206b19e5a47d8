import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { transactionFile, uploader } from "../../../testing/uploader.js";
import { claim, releaseClaim, areOthersWaiting, type Claim } from "./queue.js";

const gatehouse = useApp();

beforeEach(async () => {
  await gatehouse.database.work.query("update upload_queue set is_wanted = false");
});

test("concurrent workers claim only one upload per organization", async () => {
  const by = await uploader(gatehouse);
  for (let number = 0; number < 3; number += 1) await by.start(await by.receive(transactionFile(by, 1)));
  const { work } = gatehouse.database;
  for (let round = 0; round < 20; round += 1) {
    const asked = await Promise.all(Array.from({ length: 3 }, () => claim(work, randomUUID())));
    const claimed = asked.flatMap((each) => each ?? []);
    expect(claimed.map(({ organizationId }) => organizationId)).toEqual([by.organizationId]);
    for (const each of claimed) await releaseClaim(work, each, { afterSeconds: 0, isCounted: false });
  }
});

test("an upload without progress is claimed only with mayBeSlow", async () => {
  const by = await uploader(gatehouse);
  const uuid = await by.receive(transactionFile(by, 1));
  await by.start(uuid);
  const { work } = gatehouse.database;
  const claimed = (await claim(work, randomUUID(), { mayBeSlow: false })) as Claim;
  await releaseClaim(work, claimed, { afterSeconds: 0, isCounted: true });
  expect(await claim(work, randomUUID(), { mayBeSlow: false })).toBeUndefined();
  const again = await claim(work, randomUUID(), { mayBeSlow: true });
  expect(again).toMatchObject({ uploadId: uuid, claims: 2 });
});

test("further uploads of an active organization do not preempt others", async () => {
  const { work } = gatehouse.database;
  const [one, other] = [await uploader(gatehouse), await uploader(gatehouse)];
  for (const by of [one, one, other]) await by.start(await by.receive(transactionFile(by, 1)));
  const claims = [await claim(work, randomUUID()), await claim(work, randomUUID())].flatMap(
    (each) => each ?? [],
  );
  expect(claims).toHaveLength(2);
  for (const each of claims) expect(await areOthersWaiting(work, each)).toBe(false);
  await releaseClaim(work, claims[0] as Claim, { afterSeconds: 0, isCounted: false });
  expect(await areOthersWaiting(work, claims[1] as Claim)).toBe(true);
});

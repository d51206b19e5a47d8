import { maxPieceRequestBytes } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useInstances } from "../../../testing/another-instance.js";
import { useApp } from "../../../testing/harness.js";
import { partnerUploads } from "../../../testing/partner-uploads.js";

const gatehouse = useApp();
const anotherInstance = useInstances(gatehouse);

test("an upload that begins on one instance continues on another, after the first one has ended", async () => {
  const { apiKey } = await gatehouse.tenant();
  const { app } = await anotherInstance();
  const before = partnerUploads(gatehouse, apiKey, app);
  const after = partnerUploads(gatehouse, apiKey);
  const rows = Array.from({ length: 150 }, (_, index) => `A-${index},${"Acme ".repeat(20)}\n`).join("");
  const bytes = Buffer.from(`tpReferenceId,name\n${rows}`.padEnd(maxPieceRequestBytes + 10, "\n"));
  const body = { fileName: "accounts.csv", size: bytes.length, resource: "accounts", reference: "nightly" };

  const { uuid } = (await before.create(body)).json;
  await before.send(uuid, 0, bytes.subarray(0, maxPieceRequestBytes));
  await app.close();

  // The program does not know how far it came: it begins again under the same reference.
  const found = (await after.create(body)).json;
  expect(found).toMatchObject({ uuid, state: "receiving", receivedBytes: maxPieceRequestBytes });
  await after.send(uuid, found.receivedBytes, bytes.subarray(found.receivedBytes));
  const start = () => after.start(uuid, { validateOnly: false });
  expect((await Promise.all([start(), start(), start()])).map(({ status }) => status)).toEqual([
    200, 200, 200,
  ]);
  await gatehouse.app.uploads.runUntilIdle();
  expect((await after.get(uuid)).json).toMatchObject({ state: "finished", created: 150, failed: 0 });
});

test("an import whose instance dies is finished by another one, without importing a row twice", async () => {
  const { apiKey } = await gatehouse.tenant();
  const dying = await anotherInstance();
  const by = partnerUploads(gatehouse, apiKey);
  const rows = Array.from({ length: 250 }, (_, index) => `A-${index},Acme\n`).join("");
  const uuid = await by.receive(`tpReferenceId,name\n${rows}`, {
    fileName: "accounts.csv",
    resource: "accounts",
  });
  await by.start(uuid, { validateOnly: false });
  dying.proxy.spoil(12, "cut after", true);
  await dying.app.uploads.runUntilIdle().catch(() => undefined);
  expect(dying.proxy.heal().spoiled).toBeGreaterThan(0);
  await expect
    .poll(async () => {
      await gatehouse.database.work.query(
        "update upload_queue set leased_until = clock_timestamp() - interval '1 second', turn_at = now() where upload_id = $1",
        [uuid],
      );
      await gatehouse.app.uploads.runUntilIdle();
      return (await by.get(uuid)).json.state;
    })
    .toBe("finished");
  expect((await by.get(uuid)).json).toMatchObject({ created: 250, skipped: 0, runCount: 3 });
});

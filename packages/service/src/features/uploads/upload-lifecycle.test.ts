import { parse } from "csv-parse/sync";
import pg from "pg";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { transactionFile, transactionHeader, uploader } from "../../../testing/uploader.js";
import { buildApp } from "../../app.js";
import { maxProblemLength } from "./limits.js";

const gatehouse = useApp();

test("records that are stored already are skipped and reported with their uuid", async () => {
  const by = await uploader(gatehouse);
  await by.run(transactionFile(by, 3));
  const again = await by.run(transactionFile(by, 4));
  expect(again).toMatchObject({ created: 1, skipped: 3, failed: 0 });
  const rows = parse((await by.person.get(`${by.uploads}/${again.uuid}/outcomes.csv`)).text, {
    bom: true,
    columns: true,
  });
  expect(rows[0]).toMatchObject({ outcome: "Skipped", uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) });
});

test("an organization with many files does not delay the upload of another", async () => {
  const busy = await uploader(gatehouse);
  const other = await uploader(gatehouse);
  const files = await Promise.all([1, 2, 3].map(() => busy.receive(transactionFile(busy, 2))));
  for (const uuid of files) await busy.start(uuid);
  const late = await other.receive(transactionFile(other, 2));
  await other.start(late);
  // A second instance processes the first of them.
  const { work } = gatehouse.database;
  await work.query(
    "update upload_queue set holder = gen_random_uuid(), leased_until = now() + interval '1 hour' where upload_id = $1",
    [files[0]],
  );
  await gatehouse.app.uploads.runUntilIdle();
  expect(await other.show(late)).toMatchObject({ state: "finished" });
  expect(await busy.show(files[1] as string)).toMatchObject({ state: "waiting" });
  await work.query(
    "update upload_queue set leased_until = now() - interval '1 second' where upload_id = $1",
    [files[0]],
  );
  await gatehouse.app.uploads.runUntilIdle();
  for (const uuid of files) expect(await busy.show(uuid)).toMatchObject({ state: "finished" });
});

test("an expired upload is deleted with its rows, and its imports are kept", async () => {
  const by = await uploader(gatehouse);
  const upload = await by.run(transactionFile(by, 2));
  const fresh = await by.receive(transactionFile(by, 2));
  const { work } = gatehouse.database;
  await work.query(
    "update uploads set changed_at = now() - interval '8 days' where organization_id = $1 and id = $2",
    [by.organizationId, upload.uuid],
  );
  // Parts of the other upload have arrived since it expired.
  await work.query(
    "update upload_queue set expires_at = now() - interval '1 second' where organization_id = $1",
    [by.organizationId],
  );
  await gatehouse.app.uploads.cleanUp();
  expect((await by.person.get(`${by.uploads}/${upload.uuid}`)).status).toBe(404);
  expect(await by.show(fresh)).toMatchObject({ state: "received" });
  const { rows } = await work.query(
    `select (select count(*)::int from upload_batches where upload_id = $1) as batches,
            (select count(*)::int from upload_queue where upload_id = $1) as queued,
            (select count(*)::int from import_runs where organization_id = $2) as runs`,
    [upload.uuid, by.organizationId],
  );
  expect(rows).toEqual([{ batches: 0, queued: 0, runs: 1 }]);
});

test("a cancelled or removed upload leaves no data behind", async () => {
  const by = await uploader(gatehouse);
  const cancelled = await by.receive(transactionFile(by, 2));
  expect((await by.act(cancelled, "cancel")).json).toMatchObject({ state: "cancelled", actions: ["remove"] });
  const removed = await by.run(transactionFile(by, 2), { validateOnly: true });
  expect((await by.person.delete(`${by.uploads}/${removed.uuid}`)).status).toBe(204);
  expect((await by.person.get(`${by.uploads}/${removed.uuid}`)).status).toBe(404);
  await gatehouse.app.uploads.cleanUp();
  const { rows } = await gatehouse.database.work.query(
    `select (select count(*)::int from upload_pieces where organization_id = $1) as pieces,
            (select count(*)::int from upload_batches where organization_id = $1) as batches`,
    [by.organizationId],
  );
  expect(rows).toEqual([{ pieces: 0, batches: 0 }]);
});

test("an instance finds waiting uploads when it starts, and new ones at once", async () => {
  const by = await uploader(gatehouse);
  const waiting = await by.receive(transactionFile(by, 2));
  await by.start(waiting);
  const { config, database } = gatehouse;
  const app = await buildApp({ config, database, logger: pino({ level: "silent" }) });
  try {
    app.uploads.start();
    await expect.poll(async () => (await by.show(waiting)).state).toBe("finished");
    const next = await by.receive(transactionFile(by, 3));
    await by.start(next);
    app.uploads.wake();
    await expect.poll(async () => (await by.show(next)).state).toBe("finished");
  } finally {
    await app.close();
  }
});

test("a problem names all alternative fields in full", async () => {
  const by = await uploader(gatehouse);
  const row = by.line("T-1").trim();
  const header = `${transactionHeader.trim()},contact.tpReferenceId`;
  const upload = await by.run(`${header}\n${row},C-1\n`, { validateOnly: true });
  expect(upload.problems).toEqual([
    {
      ...{ field: "contact.email or contact.phoneNumber", message: "is required", reasonCode: 4 },
      ...{ example: null, line: 2, count: 1 },
    },
  ]);
});

test("messages about an upload are bounded, and lists omit large fields", async () => {
  const by = await uploader(gatehouse);
  const name = "x".repeat(100_000);
  const upload = await by.run(`metadata.${name},METADATA.${name}\n1,2\n`);
  expect(upload.state).toBe("stopped");
  expect(upload.problem).toHaveLength(maxProblemLength);
  const query = vi.spyOn(pg.Pool.prototype, "query");
  const list = await by.person.get(by.uploads);
  const texts = query.mock.calls
    .map(([text]) => String(text))
    .filter((text) => text.includes("from uploads"));
  query.mockRestore();
  expect(list.json.data).toMatchObject([{ uuid: upload.uuid, problem: upload.problem }]);
  expect(texts).toHaveLength(1);
  expect(texts[0]).not.toMatch(/\b(?:mapping|columns|problems)\b/);
});

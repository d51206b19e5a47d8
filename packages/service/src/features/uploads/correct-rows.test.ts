import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { transactionHeader, uploader, uploaderOf, type Uploader } from "../../../testing/uploader.js";
import { bucketName } from "../../core/gate/gate.js";
import { correctionLimits } from "@gatehouse-parking/contract/console";

const gatehouse = useApp();

/** A file whose second row has an unknown type and whose third row has no id. */
const fileWithFailures = (by: Uploader) =>
  transactionHeader + by.line("T-1") + by.line("T-2", "VALET") + by.line("").replaceAll('"', "");

interface Sent {
  row: number;
  attempt: number;
  cells: string[];
}

const correct = (by: Uploader, uuid: string, rows: Sent[]) =>
  by.person.post(`${by.uploads}/${uuid}/corrections`, { rows });
const failuresOf = async (by: Uploader, uuid: string) =>
  (await by.person.get(`${by.uploads}/${uuid}/failures`)).json.data as (Sent & { correctedBy: string })[];
const cellsOf = (by: Uploader, id: string, type: string) => by.line(id, type).trim().split(",");

async function stored({ organizationId }: Uploader): Promise<string[]> {
  const { rows } = await gatehouse.database.work.query<{ id: string }>(
    "select transaction_id as id from transactions where organization_id = $1 order by id",
    [organizationId],
  );
  return rows.map(({ id }) => id);
}

test("corrected rows are imported as part of the same upload, and its counts and problems follow", async () => {
  const by = await uploader(gatehouse);
  const upload = await by.run(fileWithFailures(by));
  expect(upload).toMatchObject({
    created: 1,
    failed: 2,
    runCount: 1,
    actions: ["correct", "undo", "remove"],
  });
  const [valet] = await failuresOf(by, upload.uuid);
  expect(valet).toMatchObject({ row: 2, attempt: 0, correctedBy: null, cells: cellsOf(by, "T-2", "VALET") });
  const answer = await correct(by, upload.uuid, [{ row: 2, attempt: 0, cells: cellsOf(by, "T-2", "2") }]);
  expect(answer.json).toEqual({ created: 1, skipped: 0, failed: 0, notSent: [] });
  expect(await stored(by)).toEqual(["T-1", "T-2"]);
  const after = await by.show(upload.uuid);
  expect(after).toMatchObject({ rows: 3, created: 2, skipped: 0, failed: 1, runCount: 2 });
  expect(after.problems).toEqual(upload.problems.filter(({ field }) => field === "transactionId"));
  expect(await failuresOf(by, upload.uuid)).toMatchObject([{ row: 3 }]);
  const corrections = (await by.person.get(`${by.uploads}/${upload.uuid}/corrections`)).json;
  expect(corrections).toMatchObject({
    data: [{ number: 1, by: by.person.email, rows: 1, created: 1, failed: 0, isUndone: false }],
    nextAfter: null,
  });
  const run = await by.person.get(
    `/organizations/${by.organizationId}/runs/${corrections.data[0].referenceUuid}`,
  );
  expect(JSON.parse(run.json.metadata)).toMatchObject({ upload: upload.uuid, corrected: true });
  const audit = await by.person.get(`/organizations/${by.organizationId}/audit?action=upload.correct`);
  const [line] = audit.json.data;
  expect(line.actor).toBe(by.person.email);
  expect(JSON.parse(line.detail)).toMatchObject({ rows: 1, created: 1, failed: 0 });
});

test("a row that fails again shows its new problem, and every attempt can be downloaded", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = await by.run(fileWithFailures(by));
  await correct(by, uuid, [{ row: 2, attempt: 0, cells: cellsOf(by, "T-2", "STILL WRONG") }]);
  expect(await by.show(uuid)).toMatchObject({ created: 1, failed: 2 });
  const [again] = await failuresOf(by, uuid);
  expect(again).toMatchObject({
    row: 2,
    attempt: 1,
    correctedBy: by.person.email,
    cells: cellsOf(by, "T-2", "STILL WRONG"),
  });
  await correct(by, uuid, [{ row: 2, attempt: 1, cells: cellsOf(by, "T-2", "2") }]);
  expect(await by.show(uuid)).toMatchObject({ created: 2, failed: 1 });
  const lines = (await by.person.get(`${by.uploads}/${uuid}/corrections.csv`)).text.trim().split("\r\n");
  expect(lines.map((line) => line.split(",").slice(0, 3))).toEqual([
    ["row", "line", "attempt"],
    ["2", "3", "1"],
    ["2", "3", "2"],
  ]);
  const outcomes = (await by.person.get(`${by.uploads}/${uuid}/outcomes.csv`)).text;
  expect(outcomes).toContain(`${cellsOf(by, "T-2", "2").join(",")},Created`);
  expect((await by.person.get(`${by.uploads}/${uuid}/failures.csv`)).text).not.toContain("T-2");
});

test("rows that cannot be sent leave no import, and the last corrected row clears the problems", async () => {
  const by = await uploader(gatehouse);
  const file = `Ticket,Garage,Kind,Paid\nT-1,${by.locationUuid},1,never\n`;
  const time = "yyyy-MM-dd HH:mm";
  const columns = { Ticket: "transactionId", Garage: "locationUuid", Kind: "type" };
  const mapping = { columns: { ...columns, Paid: { to: "transactionDate", time } }, timeZone: "UTC" };
  const { uuid } = await by.run(file, { mapping });
  const cells = (paid: string) => ["T-1", by.locationUuid, "1", paid];
  await correct(by, uuid, [{ row: 1, attempt: 0, cells: cells("tomorrow") }]);
  expect(await by.show(uuid)).toMatchObject({ failed: 1, created: 0, runCount: 0, problems: [{ count: 1 }] });
  await correct(by, uuid, [{ row: 1, attempt: 1, cells: cells("2026-04-01 14:30") }]);
  expect(await by.show(uuid)).toMatchObject({ failed: 0, created: 1, runCount: 1, problems: [] });
  expect(await stored(by)).toEqual(["T-1"]);
});

test("a repeated request and a second person see what the first one did, and nothing is sent twice", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = await by.run(fileWithFailures(by));
  const colleague = await uploaderOf(gatehouse, by, "admin");
  const row = (type: string) => [{ row: 2, attempt: 0, cells: cellsOf(by, "T-2", type) }];
  const answers = await Promise.all([
    correct(by, uuid, row("2")),
    correct(by, uuid, row("2")),
    correct(colleague, uuid, row("3")),
  ]);
  const sums = answers.map(({ json }) => [json.created, json.notSent.length]).toSorted();
  expect(sums).toEqual([
    [0, 1],
    [0, 1],
    [1, 0],
  ]);
  expect(await by.show(uuid)).toMatchObject({ created: 2, failed: 1, runCount: 2 });
  const { notSent } = (await correct(by, uuid, row("2"))).json;
  expect([by.person.email, colleague.person.email]).toContain(notSent[0].by);
});

test("a correction whose transaction fails changes nothing and can be repeated", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = await by.run(fileWithFailures(by));
  const { work } = gatehouse.database;
  await work.query("alter table upload_corrections rename to upload_corrections_away");
  const rows = [{ row: 2, attempt: 0, cells: cellsOf(by, "T-2", "2") }];
  const failed = await correct(by, uuid, rows).finally(() =>
    work.query("alter table upload_corrections_away rename to upload_corrections"),
  );
  expect(failed.status).toBeGreaterThanOrEqual(500);
  expect(await stored(by)).toEqual(["T-1"]);
  expect(await by.show(uuid)).toMatchObject({ created: 1, failed: 2, runCount: 1 });
  expect((await correct(by, uuid, rows)).json).toMatchObject({ created: 1 });
});

test("the undo of an upload takes its corrections along, newest first", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = await by.run(fileWithFailures(by));
  await correct(by, uuid, [{ row: 2, attempt: 0, cells: cellsOf(by, "T-2", "2") }]);
  await correct(by, uuid, [{ row: 3, attempt: 0, cells: cellsOf(by, "T-3", "2") }]);
  expect((await by.person.get(`${by.uploads}/${uuid}/undo`)).json).toMatchObject({
    records: 3,
    runs: 3,
    removed: [{ kind: "transactions", count: 3 }],
  });
  await by.person.post(`${by.uploads}/${uuid}/undo`, {});
  await gatehouse.app.uploads.runUntilIdle();
  const undone = await by.show(uuid);
  expect(undone).toMatchObject({ pass: "undo", state: "finished", undone: { runs: 3 } });
  expect(await stored(by)).toEqual([]);
  const { rows } = await gatehouse.database.work.query<{ id: string }>(
    "select id from import_runs where organization_id = $1 order by undone_at desc, id",
    [by.organizationId],
  );
  expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted());
  const again = await correct(by, uuid, [{ row: 3, attempt: 1, cells: cellsOf(by, "T-3", "2") }]);
  expect(again.status).toBe(409);
});

test("corrections are limited in size and by the rate limit of imports", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = await by.run(fileWithFailures(by));
  const [id, garage, type, date] = cellsOf(by, "T-2", "2") as [string, string, string, string];
  const reasons: [Sent[], RegExp][] = [
    [[], /at least one row/],
    [[{ row: 2, attempt: 0, cells: [id, garage] }], /must have 4 cells/],
    [
      [{ row: 2, attempt: 0, cells: [id, garage, "x".repeat(correctionLimits.rowBytes), date] }],
      /longer than 64 KB/,
    ],
    [[{ row: 1, attempt: 0, cells: [id, garage, type, date] }], /Row 1 of the upload has not failed/],
    [[{ row: 9, attempt: 0, cells: [id, garage, type, date] }], /no row 9/],
  ];
  for (const [rows, reason] of reasons) {
    const { status, json } = await correct(by, uuid, rows);
    expect([status, json.errors[0]]).toEqual([400, expect.stringMatching(reason)]);
  }
  const bucket = bucketName("importTransactions", by.organizationId);
  await gatehouse.database.work.query("update organizations set own_limits = $2 where id = $1", [
    by.organizationId,
    { importTransactions: { requests: 1, windowSeconds: 3_600 } },
  ]);
  await gatehouse.app.rateLimiter.take(bucket, { requests: 1, windowSeconds: 3_600 });
  const refused = await correct(by, uuid, [{ row: 2, attempt: 0, cells: [id, garage, type, date] }]);
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, expect.any(String)]);
  await gatehouse.database.work.query("delete from rate_limits where bucket = $1", [bucket]);
});

test("a viewer cannot correct rows", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = await by.run(fileWithFailures(by));
  const viewer = await uploaderOf(gatehouse, by, "viewer");
  const rows = [{ row: 2, attempt: 0, cells: cellsOf(by, "T-2", "2") }];
  expect((await correct(viewer, uuid, rows)).status).toBe(403);
});

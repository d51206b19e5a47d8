import type { UploadDetail } from "@gatehouse-parking/contract/console";
import { expect, test } from "vitest";
import { useInstances, type Instance } from "../../../testing/another-instance.js";
import type { Fault } from "../../../testing/fault-proxy.js";
import { useApp } from "../../../testing/harness.js";
import { interceptStatements } from "../../../testing/statements.js";
import { uploader, uploaderOf, type Uploader } from "../../../testing/uploader.js";
import { between, deleteBefore } from "../../../testing/retention.js";
import { undoRun } from "../undo/undo-run.js";
import { verifyStoredData } from "../../../testing/verify.js";
import { previewedRuns } from "./undo-upload.js";

const gatehouse = useApp();
const anotherInstance = useInstances(gatehouse);

/** Three imports that share one account and three contacts, which the first of them creates. */
const rows = 1_001;
const header =
  "transactionId,locationUuid,type,transactionDate,account.tpReferenceId,account.name,contact.email";
const transactions = (by: Uploader) =>
  [
    header,
    ...Array.from(
      { length: rows },
      (_, index) => `${by.line(`T-${index}`).trim()},A,Acme,c${index % 3}@example.com`,
    ),
  ].join("\n");
const everything = [
  { kind: "transactions", count: rows },
  { kind: "accounts", count: 1 },
  { kind: "contacts", count: 3 },
];

/** Three imports of accounts. */
const accountRows = 203;
const accounts = (count = accountRows) =>
  ["tpReferenceId,name", ...Array.from({ length: count }, (_, index) => `A-${index},Acme`)].join("\n");

async function importAccounts(by: Uploader, content = accounts()): Promise<string> {
  const uuid = await by.receive(content, { resource: "accounts", fileName: "accounts.csv" });
  expect((await by.start(uuid)).status).toBe(200);
  await gatehouse.app.uploads.runUntilIdle();
  expect(await by.show(uuid)).toMatchObject({ state: "finished", failed: 0 });
  return uuid;
}

const preview = (by: Uploader, uuid: string) => by.person.get(`${by.uploads}/${uuid}/undo`);
const undo = (by: Uploader, uuid: string) => by.person.post(`${by.uploads}/${uuid}/undo`, {});

async function takeBack(by: Uploader, uuid: string): Promise<UploadDetail> {
  const answer = await undo(by, uuid);
  expect(answer.json, answer.text).toMatchObject({ state: "waiting", pass: "undo" });
  await gatehouse.app.uploads.runUntilIdle();
  return by.show(uuid);
}

async function count(by: Uploader, table: string): Promise<number> {
  const { rows: found } = await gatehouse.database.work.query(
    `select count(*)::int as count from ${table} where organization_id = $1`,
    [by.organizationId],
  );
  return found[0].count;
}

async function audited(by: Uploader, action: string): Promise<string[]> {
  const { rows: found } = await gatehouse.database.work.query<{ actor: string }>(
    "select actor from audit_log where organization_id = $1 and action = $2",
    [by.organizationId, action],
  );
  return found.map(({ actor }) => actor);
}

/** Sets the completion of all imports of the organization this many days back. */
async function letDaysPass(by: Uploader, days: number): Promise<void> {
  await gatehouse.database.work.query(
    "update import_runs set completed_at = now() - make_interval(days => $2) where organization_id = $1",
    [by.organizationId, days],
  );
}

async function expireLease(uuid: string): Promise<void> {
  await gatehouse.database.work.query(
    "update upload_queue set leased_until = clock_timestamp() - interval '1 second', turn_at = now() where upload_id = $1",
    [uuid],
  );
}

async function expectSound(by: Uploader): Promise<void> {
  const { checks } = await verifyStoredData(gatehouse.connectionString, {
    organizationId: by.organizationId,
  });
  expect(checks.filter(({ violations }) => violations > 0)).toEqual([]);
}

test("an upload can be undone, and the same file can be imported again", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = await by.run(transactions(by));
  expect((await preview(by, uuid)).json).toEqual({
    until: expect.any(String),
    records: rows,
    runs: 3,
    undoneRuns: 0,
    previewedRuns: 3,
    removed: everything,
    keptCount: 0,
    kept: [],
    acknowledged: { count: 0, examples: [] },
  });
  const upload = await takeBack(by, uuid);
  expect(upload).toMatchObject({
    ...{ state: "finished", pass: "undo", progress: 1, problem: null, actions: ["remove"] },
    // The result of the import is still shown.
    ...{ rows, totalRows: rows, created: rows, skipped: 0, failed: 0, runCount: 3 },
    undone: {
      ...{ at: expect.any(String), by: by.person.email, runs: 3, removed: everything, keptCount: 0 },
    },
  });
  for (const table of ["transactions", "accounts", "contacts"]) expect(await count(by, table), table).toBe(0);
  const runs = (await by.person.get(`${by.uploads}/${uuid}/runs`)).json.data as { referenceUuid: string }[];
  expect(runs).toMatchObject([
    { created: 500, isUndone: true },
    { created: 500, isUndone: true },
    { created: 1, isUndone: true },
  ]);
  const run = await by.person.get(`/organizations/${by.organizationId}/runs/${runs[0]?.referenceUuid}`);
  expect(run.json.undone).toMatchObject({ by: by.person.email, count: 500 });
  expect(await audited(by, "upload.undo")).toEqual([by.person.email]);
  expect(await audited(by, "import.undo")).toEqual([]);
  const outcomes = await by.person.get(`${by.uploads}/${uuid}/outcomes.csv`);
  expect(outcomes.text.trim().split("\r\n")).toHaveLength(rows + 1);
  await expectSound(by);

  expect((await undo(by, uuid)).json).toMatchObject({
    code: "conflict",
    errors: ["This upload has no records to undo"],
  });
  expect(await by.run(transactions(by))).toMatchObject({ state: "finished", created: rows, skipped: 0 });
  expect(await count(by, "contacts")).toBe(3);
  await expectSound(by);
});

test("an undo keeps and lists records that others refer to, and a second undo removes them later", async () => {
  const by = await uploader(gatehouse);
  const { uuid } = await by.run(transactions(by));
  const later = await gatehouse.post("/integrations/transactions", by.apiKey, {
    transactions: [
      {
        ...{ transactionId: "outside", locationUuid: by.locationUuid, type: 1 },
        ...{ transactionDate: "2026-04-01T14:30:00.000Z", accountTPReferenceId: "A" },
      },
    ],
  });
  expect(later.json.successCount, later.text).toBe(1);
  const outside = { kind: "transactions", reference: "outside", referenceUuid: later.json.referenceUuid };
  const [all, , contacts] = everything;
  expect((await preview(by, uuid)).json).toMatchObject({
    removed: [all, contacts],
    keptCount: 1,
    kept: [{ kind: "accounts", reference: expect.any(String), referredBy: [outside] }],
  });
  expect(await takeBack(by, uuid)).toMatchObject({
    state: "finished",
    actions: ["undo", "remove"],
    undone: { runs: 3, removed: [all, contacts], keptCount: 1 },
  });
  expect(await count(by, "accounts")).toBe(1);
  expect(await count(by, "transactions")).toBe(1);
  await expectSound(by);

  const address = `/organizations/${by.organizationId}/runs/${later.json.referenceUuid}/undo`;
  const { version } = (await by.person.get(address)).json;
  expect((await by.person.post(address, { version })).status).toBe(200);
  expect((await preview(by, uuid)).json).toMatchObject({
    ...{ undoneRuns: 3, removed: [{ kind: "accounts", count: 1 }], keptCount: 0 },
  });
  expect(await takeBack(by, uuid)).toMatchObject({
    actions: ["remove"],
    undone: { runs: 3, removed: everything, keptCount: 0 },
  });
  expect(await count(by, "accounts")).toBe(0);
  await expectSound(by);
});

test("an import that was undone before is skipped and counted", async () => {
  const by = await uploader(gatehouse);
  const uuid = await importAccounts(by);
  const [first] = (await by.person.get(`${by.uploads}/${uuid}/runs`)).json.data;
  const address = `/organizations/${by.organizationId}/runs/${first.referenceUuid}/undo`;
  await by.person.post(address, { version: (await by.person.get(address)).json.version });
  expect((await preview(by, uuid)).json).toMatchObject({
    undoneRuns: 1,
    removed: [{ kind: "accounts", count: accountRows - 100 }],
  });
  await expectTakenBackOnce(by, uuid, await takeBack(by, uuid));
});

test("a preview counts all imports and checks the newest for references", async () => {
  const by = await uploader(gatehouse);
  const runs = previewedRuns + 1;
  const uuid = await importAccounts(by, accounts(runs * 100));
  expect((await preview(by, uuid)).json).toMatchObject({
    ...{ records: runs * 100, runs, previewedRuns },
    removed: [{ kind: "accounts", count: runs * 100 }],
  });
  // Without records that were undone or deleted meanwhile.
  const [first] = (await by.person.get(`${by.uploads}/${uuid}/runs`)).json.data as {
    referenceUuid: string;
  }[];
  const oldest = { organizationId: by.organizationId, runId: first?.referenceUuid as string };
  await undoRun(gatehouse.database.work, { ...oldest, version: undefined, undoDays: 1, actor: "test" });
  await deleteBefore(gatehouse, by, { moment: await between(), keepsKeys: false });
  expect(await count(by, "accounts")).toBe((runs - 1) * 100 - 200);
  expect((await preview(by, uuid)).json.removed).toEqual([
    { kind: "accounts", count: await count(by, "accounts") },
  ]);
});

async function expectTakenBackOnce(by: Uploader, uuid: string, upload?: UploadDetail): Promise<void> {
  expect(upload ?? (await by.show(uuid))).toMatchObject({
    ...{ state: "finished", pass: "undo", problem: null },
    undone: { runs: 3, removed: [{ kind: "accounts", count: accountRows }], keptCount: 0 },
  });
  expect(await count(by, "accounts")).toBe(0);
  await expectSound(by);
}

test.each<Fault>(["cut before", "cut after", "cut, runs late"])(
  "if an instance dies at any step (%s), another one undoes every import and counts none twice",
  async (fault) => {
    const dying = await anotherInstance();
    let spoiledSteps = 0;
    for (let step = 1; step <= 40; step += 6) {
      const by = await uploader(gatehouse);
      const uuid = await importAccounts(by);
      expect((await undo(by, uuid)).status).toBe(200);
      dying.proxy.spoil(step, fault, true);
      await dying.app.uploads.runUntilIdle().catch(() => undefined);
      spoiledSteps += dying.proxy.heal().spoiled;
      await expect
        .poll(async () => {
          await expireLease(uuid);
          await gatehouse.app.uploads.runUntilIdle();
          return (await by.show(uuid)).state;
        })
        .toBe("finished");
      await expectTakenBackOnce(by, uuid);
    }
    expect(spoiledSteps).toBeGreaterThan(5);
  },
);

/**
 * Calls `act` before `instance` undoes the second import, and then continues. The returned function ends it
 * and reports how many imports the instance has undone.
 */
function beforeSecondRun({ database }: Instance, act: () => Promise<unknown>): () => number {
  let guards = 0;
  let moves = 0;
  const stop = interceptStatements(database.work, (texts, send) => {
    if (texts.some((text) => text.includes("undo_position = $4")) && (guards += 1) === 2) {
      void act().then(send, send);
      return undefined;
    }
    if (texts.some((text) => text.includes("set undo_position"))) moves += 1;
    return send();
  });
  return () => {
    stop();
    return moves;
  };
}

test("an instance that has lost its lease undoes nothing once another instance has taken over", async () => {
  const slow = await anotherInstance();
  const by = await uploader(gatehouse);
  const uuid = await importAccounts(by);
  await undo(by, uuid);
  const stop = beforeSecondRun(slow, async () => {
    await expireLease(uuid);
    await gatehouse.app.uploads.runUntilIdle();
  });
  await slow.app.uploads.runUntilIdle();
  expect(stop()).toBe(1);
  await expectTakenBackOnce(by, uuid);
});

test("an undo can be paused after the current import and resumed", async () => {
  const instance = await anotherInstance();
  const by = await uploader(gatehouse);
  const uuid = await importAccounts(by);
  await undo(by, uuid);
  const stop = beforeSecondRun(instance, () => by.act(uuid, "pause"));
  await instance.app.uploads.runUntilIdle();
  stop();
  expect(await by.show(uuid)).toMatchObject({
    ...{ state: "paused", pass: "undo", actions: ["resume", "cancel", "remove"] },
    progress: 1 / 3,
    // The newest one, which has the end of the file.
    undone: { runs: 1, removed: [{ kind: "accounts", count: accountRows - 200 }] },
  });
  expect((await undo(by, uuid)).json).toMatchObject({
    errors: ["The undo of this upload has already begun; resume it instead"],
  });
  await by.act(uuid, "resume");
  await gatehouse.app.uploads.runUntilIdle();
  await expectTakenBackOnce(by, uuid);
});

test("a paused or cancelled import can be undone, and its file is deleted", async () => {
  for (const action of ["pause", "cancel"] as const) {
    const instance = await anotherInstance();
    const by = await uploader(gatehouse);
    const uuid = await by.receive(accounts(), { resource: "accounts" });
    await by.start(uuid);
    let guards = 0;
    const stop = interceptStatements(instance.database.work, (texts, send) => {
      if (texts.some((text) => text.includes("decided_rows = $4")) && (guards += 1) === 2) {
        void by.act(uuid, action).then(send, send);
        return undefined;
      }
      return send();
    });
    await instance.app.uploads.runUntilIdle();
    stop();
    expect(await count(by, "accounts"), action).toBe(100);
    expect(await takeBack(by, uuid), action).toMatchObject({
      ...{
        state: "finished",
        pass: "undo",
        isFileKept: false,
        actions: ["remove"],
        rows: 100,
        totalRows: accountRows,
      },
      undone: { runs: 1, removed: [{ kind: "accounts", count: 100 }] },
    });
    expect(await count(by, "accounts"), action).toBe(0);
  }
});

test("an undo is rejected while the upload is in progress and if it has no records", async () => {
  const by = await uploader(gatehouse);
  const uuid = await by.receive(accounts(), { resource: "accounts" });
  const refused = async (problem: RegExp) => {
    for (const { json, text } of [await preview(by, uuid), await undo(by, uuid)]) {
      expect(json, text).toMatchObject({ code: "conflict" });
      expect(text).toMatch(problem);
    }
  };
  await refused(/has not been started/);
  await by.start(uuid, { validateOnly: true });
  await refused(/is queued/);
  await gatehouse.app.uploads.runUntilIdle();
  await refused(/This upload has no records to undo/);
});

test("an undo is rejected or stopped when the time for it has passed", async () => {
  const by = await uploader(gatehouse);
  const uuid = await importAccounts(by);
  await undo(by, uuid);
  await letDaysPass(by, 7);
  await gatehouse.app.uploads.runUntilIdle();
  const stopped = await by.show(uuid);
  expect(stopped).toMatchObject({ state: "stopped", undone: { runs: 0, removed: [] } });
  expect(stopped.problem).toMatch(/can be undone within 7 days/);
  await by.act(uuid, "cancel");
  for (const { status, text } of [await preview(by, uuid), await undo(by, uuid)]) {
    expect(status).toBe(400);
    expect(text).toMatch(/within 7 days. The first import of this upload was completed at/);
  }
  expect(await count(by, "accounts")).toBe(accountRows);
});

test("a viewer can neither preview nor start an undo, but sees who did", async () => {
  const by = await uploader(gatehouse);
  const uuid = await importAccounts(by);
  const viewer = await uploaderOf(gatehouse, by, "viewer");
  for (const { json } of [await preview(viewer, uuid), await undo(viewer, uuid)])
    expect(json).toMatchObject({ code: "roleMissing" });
  await takeBack(by, uuid);
  expect((await viewer.show(uuid)).undone).toMatchObject({ by: by.person.email, keptCount: 0 });
});

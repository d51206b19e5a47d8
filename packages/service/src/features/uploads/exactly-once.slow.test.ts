import type { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { useInstances, type Instance } from "../../../testing/another-instance.js";
import type { Fault } from "../../../testing/fault-proxy.js";
import { sendTo, useApp } from "../../../testing/harness.js";
import { interceptStatements, statementsOf } from "../../../testing/statements.js";
import { uploader, type Uploader } from "../../../testing/uploader.js";
import { erasePerson } from "../people/erase-person.js";
import { maxClaims } from "./work/process-upload.js";

/** Tests two instances that share one file, and the failure of one of them. `gatehouse` is the healthy one. */
const gatehouse = useApp();
const anotherInstance = useInstances(gatehouse);

/** Three batches of accounts with one failing row. */
const rows = 203;
const content = [
  "tpReferenceId,name",
  ...Array.from({ length: rows }, (_, index) => `A-${index},${index === 150 ? "" : "Acme"}`),
].join("\n");

async function started(by: Uploader): Promise<string> {
  const uuid = await by.receive(content, { resource: "accounts", fileName: "accounts.csv" });
  expect((await by.start(uuid)).status).toBe(200);
  return uuid;
}

/** Lets the lease of the current holder expire. */
async function expireLease(uuid: string): Promise<void> {
  await gatehouse.database.work.query(
    "update upload_queue set leased_until = clock_timestamp() - interval '1 second', turn_at = now() where upload_id = $1",
    [uuid],
  );
}

/** Every row is processed once, and every account is stored once: a second import of an account would be Skipped. */
async function expectExactlyOnce(by: Uploader, uuid: string): Promise<void> {
  expect(await by.show(uuid)).toMatchObject({
    ...{ state: "finished", rows, created: rows - 1, skipped: 0, failed: 1, runCount: 3, problem: null },
  });
  const { rows: found } = await gatehouse.database.work.query(
    `select (select count(*)::int from accounts where organization_id = $1) as accounts,
            (select sum(success_count)::int from import_runs where organization_id = $1) as created,
            (select count(*)::int from import_runs where organization_id = $1) as runs,
            (select array_agg(first_row order by first_row) from upload_batches where organization_id = $1)::int[] as batches`,
    [by.organizationId],
  );
  expect(found).toEqual([{ accounts: rows - 1, created: rows - 1, runs: 3, batches: [0, 100, 200] }]);
}

const healthySteps = 60;
const everyNthStep = 4;

test.each<Fault>(["cut before", "cut after", "cut, runs late"])(
  "a crash at any step (%s) imports no row twice and loses none",
  async (fault) => {
    const dying = await anotherInstance();
    let spoiledSteps = 0;
    for (let step = 1; step <= healthySteps; step += everyNthStep) {
      const by = await uploader(gatehouse);
      const uuid = await started(by);
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
      await expectExactlyOnce(by, uuid);
    }
    expect(spoiledSteps).toBeGreaterThan(5);
  },
);

const isGuard = (text: string) => text.includes("decided_rows = $4");

/**
 * Runs `work` before the second batch of `instance`, or another one, begins, and lets the instance continue
 * afterwards.
 */
function beforeSecondBatch({ database }: Instance, work: () => Promise<unknown>, nth = 2): () => void {
  let guards = 0;
  return interceptStatements(database.work, (texts, send) => {
    if (texts.some(isGuard) && (guards += 1) === nth) {
      void work().then(send, send);
      return undefined;
    }
    return send();
  });
}

test("an instance that has lost its lease stops once another instance has taken over", async () => {
  const slow = await anotherInstance();
  const by = await uploader(gatehouse);
  const uuid = await started(by);
  const stop = beforeSecondBatch(slow, async () => {
    await expireLease(uuid);
    await gatehouse.app.uploads.runUntilIdle();
  });
  await slow.app.uploads.runUntilIdle();
  stop();
  await expectExactlyOnce(by, uuid);
});

test("two instances that keep losing their leases import every row once", async () => {
  const other = await anotherInstance();
  const by = await uploader(gatehouse);
  const uuid = await started(by);
  for (let finished = false; !finished;) {
    const both = Promise.all([gatehouse.app.uploads.runUntilIdle(), other.app.uploads.runUntilIdle()]);
    for (let isOver = false; !isOver;) {
      await expireLease(uuid);
      isOver = await Promise.race([
        both.then(() => true),
        new Promise<false>((resolve) => setImmediate(resolve, false)),
      ]);
    }
    finished = (await by.show(uuid)).state === "finished";
    // So many attempts started that the upload may have been stopped.
    await gatehouse.database.work.query("update upload_queue set claims = 0");
    if ((await by.show(uuid)).state === "stopped") await by.act(uuid, "resume");
  }
  await expectExactlyOnce(by, uuid);
});

test("personal data that is erased during an import is not written again from the worker's memory", async () => {
  const instance = await anotherInstance();
  const by = await uploader(gatehouse);
  const email = "jo@example.com";
  const accounts = Array.from(
    { length: rows },
    (_, index) => `A-${index},Acme,${index === 5 ? `${email} x` : ""}`,
  );
  const file = ["tpReferenceId,name,contactEmail", ...accounts].join("\n");
  const uuid = await by.receive(file, { resource: "accounts", fileName: "accounts.csv" });
  await by.start(uuid);
  const shown = async () => JSON.stringify((await by.show(uuid)).problems);
  const stop = beforeSecondBatch(instance, async () => {
    expect(await shown()).toContain(email);
    await erasePerson(gatehouse.database.work, {
      ...{ organizationId: by.organizationId, email, actor: "test" },
    });
  });
  await instance.app.uploads.runUntilIdle();
  stop();
  await expectExactlyOnce(by, uuid);
  expect(await shown()).not.toContain(email);
});

test("a pause takes effect after the current batch, and resuming continues there", async () => {
  const instance = await anotherInstance();
  const by = await uploader(gatehouse);
  const uuid = await started(by);
  const stop = beforeSecondBatch(instance, () => by.act(uuid, "pause"));
  await instance.app.uploads.runUntilIdle();
  stop();
  expect(await by.show(uuid)).toMatchObject({
    state: "paused",
    rows: 100,
    created: 100,
    actions: ["resume", "undo", "cancel", "remove"],
  });
  await gatehouse.app.uploads.runUntilIdle();
  expect(await by.show(uuid)).toMatchObject({ state: "paused", rows: 100 });
  expect((await by.act(uuid, "resume")).json).toMatchObject({ state: "waiting" });
  await gatehouse.app.uploads.runUntilIdle();
  await expectExactlyOnce(by, uuid);
});

test("a cancelled upload stops after the current batch, keeps the imported records, and deletes the file", async () => {
  const instance = await anotherInstance();
  const by = await uploader(gatehouse);
  const uuid = await started(by);
  const stop = beforeSecondBatch(instance, () => by.act(uuid, "cancel"));
  await instance.app.uploads.runUntilIdle();
  stop();
  expect(await by.show(uuid)).toMatchObject({
    state: "cancelled",
    rows: 100,
    created: 100,
    isFileKept: false,
  });
  for (const action of ["resume", "pause", "cancel"] as const)
    expect((await by.act(uuid, action)).json).toMatchObject({ code: "conflict" });
  expect((await by.start(uuid)).json).toMatchObject({ code: "conflict" });
  await gatehouse.app.uploads.cleanUp();
  const { rows: pieces } = await gatehouse.database.work.query(
    "select from upload_pieces where organization_id = $1",
    [by.organizationId],
  );
  expect(pieces).toEqual([]);
  expect((await by.person.get(`${by.uploads}/${uuid}/outcomes.csv`)).text.split("\r\n")).toHaveLength(102);
});

test("an instance that shuts down finishes the current batch and returns the upload to the queue", async () => {
  const instance = await anotherInstance();
  const by = await uploader(gatehouse);
  const uuid = await started(by);
  let closing: Promise<unknown> | undefined;
  const stop = beforeSecondBatch(instance, async () => void (closing = instance.app.close()));
  await instance.app.uploads.runUntilIdle();
  stop();
  await closing;
  expect(await by.show(uuid)).toMatchObject({ rows: 200 });
  // Another instance can take it over at once, because the lease was released.
  await gatehouse.app.uploads.runUntilIdle();
  await expectExactlyOnce(by, uuid);
});

test("an upload that crashes every worker is stopped after a number of attempts", async () => {
  const by = await uploader(gatehouse);
  const uuid = await started(by);
  await gatehouse.database.work.query("update upload_queue set claims = $2 where upload_id = $1", [
    uuid,
    maxClaims,
  ]);
  await gatehouse.app.uploads.runUntilIdle();
  const upload = await by.show(uuid);
  expect(upload).toMatchObject({ state: "stopped", rows: 0 });
  expect(upload.problem).toMatch(/in several attempts/);
  await by.act(uuid, "resume");
  await gatehouse.app.uploads.runUntilIdle();
  await expectExactlyOnce(by, uuid);
});

test("a batch that always times out in the database stops its upload", async () => {
  // The error of the server for a statement that took too long, without the wait.
  await gatehouse.database.work.query(`
    create function takes_too_long() returns boolean language plpgsql as
      $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$;
    alter table accounts add constraint in_time check (name <> 'Endless' or takes_too_long())`);
  const by = await uploader(gatehouse);
  const uuid = await by.receive("tpReferenceId,name\nA-1,Endless", { resource: "accounts" });
  await by.start(uuid);
  await gatehouse.database.work.query("update upload_queue set claims = $2 where upload_id = $1", [
    uuid,
    maxClaims - 1,
  ]);
  await gatehouse.app.uploads.runUntilIdle();
  expect(await by.show(uuid)).toMatchObject({ state: "working", rows: 0 });
  await expireLease(uuid);
  await gatehouse.app.uploads.runUntilIdle();
  expect(await by.show(uuid)).toMatchObject({
    state: "stopped",
    rows: 0,
    problem: expect.stringMatching(/in several attempts/) as string,
  });
});

const troubles: [string, (instance: Instance, uuid: string) => Promise<unknown>][] = [
  [
    "the connection is lost before a batch",
    async ({ app, proxy }) => {
      // The first statement after the four of the claim.
      proxy.spoil(5, "cut before", false);
      await app.uploads.runUntilIdle();
      expect(proxy.heal().spoiled).toBe(1);
    },
  ],
  [
    "the connection is lost in every attempt of a batch",
    async ({ app, database }) => {
      const stop = interceptStatements(database.work, (texts, send, client) => {
        if (texts.some(isGuard))
          (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
        return send();
      });
      await app.uploads.runUntilIdle();
      stop();
    },
  ],
  [
    "another instance takes the upload over",
    async (instance, uuid) => {
      const take = () =>
        gatehouse.database.work.query("update uploads set holder = null where id = $1", [uuid]);
      const stop = beforeSecondBatch(instance, take, 1);
      await instance.app.uploads.runUntilIdle();
      stop();
    },
  ],
  [
    "the instance shuts down before the first batch",
    async ({ app }) => {
      const working = app.uploads.runUntilIdle();
      await app.uploads.close();
      await working;
    },
  ],
];

test.each(troubles)(
  "an error of the service does not count as an attempt of the upload: %s",
  async (_what, cause) => {
    const instance = await anotherInstance();
    const by = await uploader(gatehouse);
    const uuid = await started(by);
    await gatehouse.database.work.query("update upload_queue set claims = $2 where upload_id = $1", [
      uuid,
      maxClaims - 1,
    ]);
    await cause(instance, uuid);
    await expireLease(uuid);
    await gatehouse.app.uploads.runUntilIdle();
    await expectExactlyOnce(by, uuid);
  },
);

test("every attempt gets more time, so a slow file is imported in the end", async () => {
  const both = [await uploader(gatehouse), await uploader(gatehouse)];
  const uuids = [];
  for (const by of both) uuids.push(await started(by));
  // Every reading of the clock shows that the time of a turn has passed.
  const now = performance.now.bind(performance);
  let looks = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + (looks += 1) * 100_000);
  try {
    await gatehouse.app.uploads.runUntilIdle();
  } finally {
    clock.mockRestore();
  }
  for (const [index, by] of both.entries()) await expectExactlyOnce(by, uuids[index] as string);
});

test("a batch locks the organization before the upload, even if all its records are stored already", async () => {
  const instance = await anotherInstance();
  const by = await uploader(gatehouse);
  await started(by);
  await gatehouse.app.uploads.runUntilIdle();
  await started(by);
  const statements = await statementsOf(instance.database.work, () => instance.app.uploads.runUntilIdle());
  const locks = statements.filter((text) => isGuard(text) || /from import_turns .*for /s.test(text));
  expect(locks.length).toBeGreaterThan(0);
  expect(locks.map(isGuard)).toEqual(locks.map((_, index) => index % 2 === 1));
});

test("pending data is written while an upload delays the shutdown of an instance", async () => {
  // Progress that is normally written at intervals is now written only at the end.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const instance = await anotherInstance().finally(() => vi.useRealTimers());
  const by = await uploader(gatehouse);
  await started(by);
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let isHeld = false;
  const stop = beforeSecondBatch(instance, () => {
    isHeld = true;
    return held;
  });
  instance.app.uploads.start();
  await expect.poll(() => isHeld).toBe(true);
  await sendTo(instance.app, { method: "GET", url: "/integrations/imports", key: by.apiKey });
  const closing = instance.app.close();
  const used = async () => {
    const { rowCount } = await gatehouse.database.work.query(
      "select from api_key_usage where organization_id = $1",
      [by.organizationId],
    );
    return rowCount;
  };
  try {
    await expect.poll(used).toBe(1);
  } finally {
    goOn();
    await closing;
    stop();
  }
});

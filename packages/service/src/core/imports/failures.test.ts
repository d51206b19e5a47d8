import type { ImportRun } from "@gatehouse-parking/contract";
import type { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importer, type Importer } from "../../../testing/importer.js";
import { interceptStatements } from "../../../testing/statements.js";

const gatehouse = useApp();
const patiently = { timeout: 180_000 };
const sql = (text: string) => gatehouse.database.work.query(text);

/** Runs `work` while this statement breaks every insert into the table, and returns its result. */
async function whileInserting<T>(table: string, statement: string, work: () => Promise<T>): Promise<T> {
  await sql(`
    create function go_wrong() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$;
    create trigger go_wrong before insert on ${table} for each row execute function go_wrong()`);
  try {
    return await work();
  } finally {
    await sql(`drop trigger go_wrong on ${table}; drop function go_wrong()`);
  }
}

const endConnection = "perform pg_terminate_backend(pg_backend_pid())";

function expectFatal(run: ImportRun, records: readonly unknown[]): void {
  expect(run).toMatchObject({
    status: 2,
    totalSubmitted: records.length,
    successCount: 0,
    skippedCount: 0,
    failedCount: records.length,
    createdEntities: { accounts: 0, contacts: 0, vehicles: 0, subscriptions: 0 },
  });
  expect(run.referenceUuid).toMatch(/^[0-9a-f-]{36}$/);
  expect(run.results).toHaveLength(records.length);
  for (const result of run.results) {
    expect(result).toEqual({
      reference: expect.any(String),
      status: 4,
      reasonCode: 99,
      errorDetail: expect.stringContaining("Send it again"),
    });
  }
}

async function expectNothingStored(partner: Importer): Promise<void> {
  for (const table of ["transactions", "accounts", "contacts", "vehicles", "subscriptions"]) {
    expect(await partner.count(table), table).toBe(0);
  }
}

/** @covers R199, R200, reading 20 */
test("if the connection breaks at every attempt, the answer is 500 with all records Failed 99, and the run is recorded", async () => {
  const partner = await importer(gatehouse);
  const records = Array.from({ length: 150 }, (_, index) =>
    partner.transaction(`T-${index}`, { account: { tpReferenceId: `A-${index}`, name: "Acme" } }),
  );
  records.push(null as never);
  const answer = await whileInserting("transactions", endConnection, () =>
    partner.post("transactions", { transactions: records, metadata: { file: 7 } }),
  );
  expect(answer.status).toBe(500);
  expectFatal(answer.json, records);
  await expectNothingStored(partner);

  const kept = await vi.waitFor(async () => {
    const found = await partner.get(answer.json.referenceUuid);
    expect(found.status).toBe(200);
    return found;
  }, patiently);
  expect(kept.json).toEqual({ ...answer.json, results: answer.json.results.slice(0, 100) });
  const list = await gatehouse.send({ method: "GET", url: "/integrations/imports", key: partner.apiKey });
  expect(list.json).toMatchObject({
    totalCount: 1,
    data: [{ referenceUuid: answer.json.referenceUuid, status: 2 }],
  });
  expect((await partner.rows("import_runs"))[0]).toMatchObject({ metadata: '{"file":7}' });
});

/** @covers R199 */
test("rows that PostgreSQL accepts but does not store get 500, and a replay stores all", async () => {
  const partner = await importer(gatehouse);
  const records = ["T-1", "T-2", "T-3"].map((id) => partner.transaction(id));
  const answer = await whileInserting("transactions", "if new.position = 1 then return null; end if", () =>
    partner.post("transactions", { transactions: records }),
  );
  expect(answer.status).toBe(500);
  expectFatal(answer.json, records);
  await expectNothingStored(partner);
  expect((await partner.importTransactions(...records)).successCount).toBe(3);
});

/** @covers R199 */
test("a commit that ends as a rollback gets 500", async () => {
  const partner = await importer(gatehouse);
  const records = [partner.transaction("T-1"), partner.transaction("T-2")];
  const stop = interceptStatements(gatehouse.database.work, (texts, send, client) => {
    if (!texts.includes("commit")) return send();
    // An error happened before, and was not reported.
    return client.query("select 1 / 0").then(send, send);
  });
  const answer = await partner.post("transactions", { transactions: records }).finally(stop);
  expect(answer.status).toBe(500);
  expectFatal(answer.json, records);
  await expectNothingStored(partner);
  expect((await partner.importTransactions(...records)).successCount).toBe(2);
});

/** @covers R199, reading 20 */
test("a run that the database rejects gets 500, and is recorded once the database accepts it", async () => {
  const partner = await importer(gatehouse);
  const records = [partner.transaction("T-1"), partner.transaction("T-2")];
  await sql("alter table import_runs rename to import_runs_away");
  let answer;
  try {
    answer = await partner.post("transactions", { transactions: records });
  } finally {
    await sql("alter table import_runs_away rename to import_runs");
  }
  expect(answer.status).toBe(500);
  expectFatal(answer.json, records);
  await expectNothingStored(partner);
  await vi.waitFor(
    async () => expect((await partner.get(answer.json.referenceUuid)).json).toEqual(answer.json),
    patiently,
  );
});

test("if the worker with the organization's rows is lost, the answer is 503 and no failed run is recorded", async () => {
  const partner = await importer(gatehouse);
  const records = [partner.transaction("T-1"), partner.transaction("T-2")];
  // A cluster reports a lost worker like this, while the server itself is available.
  await sql(`
    create function gone() returns boolean language plpgsql as $$
      begin raise exception 'connection to the remote node failed' using errcode = '08006'; end $$;
    alter table import_turns rename to import_turns_away;
    create view import_turns as select * from import_turns_away where gone()`);
  let answer;
  try {
    answer = await partner.post("transactions", { transactions: records });
  } finally {
    await sql(
      "drop view import_turns; alter table import_turns_away rename to import_turns; drop function gone()",
    );
  }
  expect(answer.status).toBe(503);
  expect(answer.headers["retry-after"]).toBe("5");
  await expectNothingStored(partner);
  expect((await partner.importTransactions(...records)).successCount).toBe(2);
  expect(await partner.count("import_runs")).toBe(1);
});

test("the replay after a fatal error stores everything once, and the service needs no restart", async () => {
  const partner = await importer(gatehouse);
  const records = Array.from({ length: 20 }, (_, index) => partner.transaction(`T-${index}`));
  await whileInserting("transactions", endConnection, () =>
    partner.post("transactions", { transactions: records }),
  );
  const replay = await partner.importTransactions(...records);
  expect(replay).toMatchObject({ status: 1, successCount: 20 });
  expect(await partner.count("transactions")).toBe(20);
});

test("if a connection breaks once, the run is retried on another one", async () => {
  const partner = await importer(gatehouse);
  await sql("create sequence tries");
  const run = await whileInserting(
    "transactions",
    `if nextval('tries') = 1 then ${endConnection}; end if`,
    () => partner.importTransactions(partner.transaction("T-1"), partner.transaction("T-2")),
  );
  await sql("drop sequence tries");
  expect(run).toMatchObject({ status: 1, successCount: 2 });
  expect(await partner.count("import_runs")).toBe(1);
});

/** @covers reading 22 */
test("a run in progress is not listed or found, and an interrupted one leaves no data", async () => {
  const partner = await importer(gatehouse);
  const blocker = await gatehouse.database.work.connect();
  await blocker.query("select pg_advisory_lock(7)");
  const answer = await whileInserting(
    "transactions",
    `perform pg_advisory_xact_lock(7); ${endConnection}`,
    async () => {
      const running = partner.post("transactions", { transactions: [partner.transaction("T-1")] });
      await vi.waitFor(async () => {
        const { rows } = await sql("select from pg_locks where locktype = 'advisory' and not granted");
        expect(rows).toHaveLength(1);
      }, patiently);
      const list = await gatehouse.send({ method: "GET", url: "/integrations/imports", key: partner.apiKey });
      expect(list.json).toMatchObject({ totalCount: 0, data: [] });
      await blocker.query("select pg_advisory_unlock(7)");
      return running;
    },
  );
  blocker.release();
  expect(answer.status).toBe(500);
  await expectNothingStored(partner);
  const { rows } = await sql("select distinct status from import_runs");
  expect(rows.every((row) => [1, 2, 3].includes(row.status))).toBe(true);
});

/** Cuts the connection once when the statement is sent: before the server receives it, or after. */
function cutConnectionAt(statement: string, when: "before" | "after"): () => void {
  let isCut = false;
  return interceptStatements(gatehouse.database.work, (texts, send, client) => {
    if (isCut || !texts.includes(statement)) return send();
    isCut = true;
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    if (when === "before") stream.destroy();
    const answer = send();
    if (when === "after") stream.destroySoon();
    return answer;
  });
}

for (const when of ["before", "after"] as const) {
  test(`if a connection is cut ${when} the server commits, data is neither lost nor stored twice`, async () => {
    const partner = await importer(gatehouse);
    const records = Array.from({ length: 10 }, (_, index) => partner.transaction(`T-${index}`));
    const restore = cutConnectionAt("commit", when);
    const run = await partner.importTransactions(...records);
    restore();
    expect(run).toMatchObject({ status: 1, successCount: 10 });
    expect(await partner.count("import_runs")).toBe(1);
    expect(await partner.count("transactions")).toBe(10);
  });
}

test("if the answer of a commit is lost, the import waits for the commit instead of repeating it", async () => {
  const partner = await importer(gatehouse);
  await sql(`
    create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return new; end $$;
    create constraint trigger dawdle after insert on import_runs deferrable initially deferred
      for each row execute function dawdle()`);
  const restore = cutConnectionAt("commit", "after");
  try {
    const run = await partner.importTransactions(partner.transaction("T-1"), partner.transaction("T-2"));
    expect(run).toMatchObject({ status: 1, successCount: 2, skippedCount: 0 });
  } finally {
    restore();
    await sql("drop trigger dawdle on import_runs; drop function dawdle()");
  }
  expect(await partner.count("import_exceptions")).toBe(0);
});

test("failed imports leak no connections", async () => {
  const { work } = gatehouse.database;
  await vi.waitFor(() => expect(work.totalCount - work.idleCount).toBe(0), patiently);
});

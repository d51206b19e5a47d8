import { beforeEach, expect, test } from "vitest";
import { useMigrationSite } from "../../../../testing/migrations.js";
import { migrate } from "./migrate.js";

const site = useMigrationSite();
const header = "-- phase: expand\n-- transaction: none\n";
const creation = "create index concurrently if not exists leads_by_source on leads (organization_id, source)";
const lockTimeout = { lockWaitMs: 100, totalMs: 30_000 };
const migrateFolder = () => migrate(site.connectionString, { folders: [site.folder], lockTimeout });

beforeEach(async () => {
  await migrate(site.connectionString);
});

async function indexState(): Promise<boolean | undefined> {
  const { rows } = await site.pool.query<{ valid: boolean }>(
    "select indisvalid as valid from pg_index where indexrelid = to_regclass('leads_by_source')",
  );
  return rows[0]?.valid;
}

test("an index is built beside running transactions and recorded once it is complete", async () => {
  const next = await site.writeNext(header + creation);
  expect((await migrateFolder()).applied).toEqual(next);
  expect(await indexState()).toBe(true);
  expect((await migrateFolder()).applied).toEqual([]);
});

/** Builds the index until it waits for an older transaction; continues when `meanwhile` is done. */
async function whileBeingBuilt(
  meanwhile: (pid: number, building: Promise<void>) => Promise<unknown>,
): Promise<void> {
  const older = await site.pool.connect();
  await older.query(
    "begin isolation level repeatable read; select from leads; insert into leads select * from leads",
  );
  const builder = await site.pool.connect();
  const { rows } = await builder.query<{ pid: number }>("select pg_backend_pid() as pid");
  const pid = rows[0]?.pid as number;
  const building = builder.query(creation).then(
    () => builder.release(),
    (error: Error) => builder.release(error),
  );
  await expect.poll(indexState).toBe(false);
  await meanwhile(pid, building).finally(async () => {
    await older.query("commit").finally(() => older.release());
    await building;
  });
}

test("an index left half built is dropped and built again", async () => {
  await whileBeingBuilt(async (pid, building) => {
    await site.pool.query("select pg_terminate_backend($1::int)", [pid]);
    await building;
  });
  expect(await indexState()).toBe(false);
  const next = await site.writeNext(header + creation);
  expect((await migrateFolder()).applied).toEqual(next);
  expect(await indexState()).toBe(true);
});

test("an index that the server is still building for a lost client is awaited and not built twice", async () => {
  const next = await site.writeNext(header + creation);
  let before: unknown;
  const oid = async () =>
    (await site.pool.query("select 'leads_by_source'::regclass::oid as oid")).rows[0]?.oid;
  await whileBeingBuilt(async () => {
    before = await oid();
    await expect(
      migrate(site.connectionString, {
        folders: [site.folder],
        lockTimeout: { lockWaitMs: 100, totalMs: 500 },
      }),
    ).rejects.toThrow(/the index leads_by_source is still being built by an earlier attempt \(process \d+\)/);
  });
  expect((await migrateFolder()).applied).toEqual(next);
  expect(await oid()).toBe(before);
});

test("a migration outside a transaction is one repeatable statement", async () => {
  await site.writeNext(`${header}${creation}; create table more ()`);
  await expect(migrateFolder()).rejects.toThrow("runs outside a transaction and is not one statement");
  expect(await indexState()).toBeUndefined();
});

test("instances that start together build the index once", async () => {
  const next = await site.writeNext(header + creation);
  const reports = await Promise.all(Array.from({ length: 4 }, migrateFolder));
  expect(reports.flatMap(({ applied }) => applied)).toEqual(next);
  expect(await indexState()).toBe(true);
});

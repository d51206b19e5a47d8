import { expect, test } from "vitest";
import { openGateway } from "../../../../testing/gateway.js";
import { useMigrationSite } from "../../../../testing/migrations.js";
import { recordStatements } from "../../../../testing/statements.js";
import { migrate } from "./migrate.js";
import { readMigrations } from "./migration-files.js";
import { OperatorError } from "../../operator-error.js";

const site = useMigrationSite();
const migrateOwn = async () => (await migrate(site.connectionString)).applied;
const migrateFolder = async () => (await migrate(site.connectionString, { folders: [site.folder] })).applied;

test("an empty database is migrated, and a second run does nothing", async () => {
  const names = (await readMigrations()).map(({ name }) => name);
  expect(await migrateOwn()).toEqual(names);
  expect(await migrateOwn()).toEqual([]);
  expect(await site.tables()).toContain("transactions");
});

test("without pending migrations it only reads, so a start takes no lock and needs no separate session", async () => {
  await migrateOwn();
  const recorder = recordStatements();
  await migrateOwn().finally(() => recorder.stop());
  expect(recorder.sent.length).toBeGreaterThan(0);
  for (const { text } of recorder.sent) {
    expect(text).toMatch(/^select /);
    expect(text).not.toMatch(/lock/);
  }
});

test("instances that start together apply each migration once", async () => {
  const applied = await Promise.all(Array.from({ length: 8 }, migrateOwn));
  const names = (await readMigrations()).map(({ name }) => name);
  expect(applied.flat().toSorted()).toEqual(names);
  expect(await migrateOwn()).toEqual([]);
});

test("new migrations are applied after the old ones", async () => {
  await site.write({ "0001_a.sql": "create table a ()" });
  expect(await migrateFolder()).toEqual(["0001_a.sql"]);
  await site.write({ "0002_b.sql": "create table b ()", "0003_c.sql": "alter table b add x int" });
  expect(await migrateFolder()).toEqual(["0002_b.sql", "0003_c.sql"]);
  expect(await site.tables()).toEqual(["a", "b", "schema_migrations"]);
});

test("a failed migration is rolled back, and earlier ones stay applied", async () => {
  await site.write({
    "0001_a.sql": "create table a ()",
    "0002_b.sql": "create table b (); insert into a values (1); create table c ()",
    "0003_d.sql": "create table d ()",
  });
  const failing = migrateFolder();
  await expect(failing).rejects.toThrow(OperatorError);
  await expect(failing).rejects.toThrow(/^Migration 0002_b\.sql failed: /);
  expect(await site.tables()).toEqual(["a", "schema_migrations"]);
  await site.write({ "0002_b.sql": "create table b ()" });
  expect(await migrateFolder()).toEqual(["0002_b.sql", "0003_d.sql"]);
});

test("statements are sent one by one in one transaction", async () => {
  await site.write({
    "0001_a.sql": "-- Two tables.\ncreate table a ();\n\ncreate table b (x text default ';');",
  });
  const recorder = recordStatements();
  await migrateFolder().finally(() => recorder.stop());
  const [a, b] = ["create table a", "create table b"].map((begin) =>
    recorder.sent.find(({ text }) => text.includes(begin)),
  );
  expect(a?.text).toBe("-- Two tables.\ncreate table a ()");
  expect(b?.text).toBe("create table b (x text default ';')");
  expect(recorder.sent.filter(({ text }) => text.startsWith("begin"))).toHaveLength(1);
});

test("a migration that changed after it was applied is rejected; other line endings are accepted", async () => {
  await site.write({ "0001_a.sql": "create table a (\n)" });
  await migrateFolder();
  await site.write({ "0001_a.sql": "create table a (\r\n)" });
  expect(await migrateFolder()).toEqual([]);
  await site.write({ "0001_a.sql": "create table a (x int)" });
  await expect(migrateFolder()).rejects.toThrow(
    "Migration 0001_a.sql was changed after it was applied. Restore the file as it was.",
  );
});

test("a gap in the numbers is rejected before anything is applied", async () => {
  await site.write({ "0001_a.sql": "create table a ()", "0003_c.sql": "create table c ()" });
  await expect(migrateFolder()).rejects.toThrow("0003_c.sql is out of sequence");
  expect(await site.tables()).toEqual([]);
});

test("a connection lost midway leaves no changes, and the error says that the database is gone", async () => {
  const gateway = await openGateway(site.connectionString);
  site.cleanUp(() => gateway.close());
  await site.write({ "0001_a.sql": "create table a (); select pg_sleep(60)" });
  const migrating = migrate(gateway.connectionString, { folders: [site.folder] });
  const sleeping =
    "from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(60)'";
  await expect.poll(async () => (await site.pool.query(`select ${sleeping}`)).rowCount).toBe(1);
  gateway.cut();
  await expect(migrating).rejects.toThrow(/Connection terminated/);
  await site.pool.query(`select pg_terminate_backend(pid) ${sleeping}`);
  await expect.poll(async () => (await site.pool.query(`select ${sleeping}`)).rowCount).toBe(0);
  expect(await site.tables()).toEqual([]);
});
